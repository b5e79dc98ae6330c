import { reading, useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type WhoisFollow, whoisFollows } from '@portal/contract/whois/follows';
import type { WhoisClass } from '@portal/contract/whois/whois';
import { parseResource, printResource } from '@portal/number-resources';
import { Button } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { hrefOfFollowed } from './followed-address.ts';

/** One object, or everything in whois about some numbers. */
type Followable = { class: WhoisClass; key: string } | { resource: string };

function isFollowed(what: Followable, follow: WhoisFollow): boolean {
  if ('class' in what) return follow.class === what.class && follow.key === what.key;
  return follow.class === null && follow.key === canonical(what.resource)?.toLowerCase();
}

/** Numbers in the server's notation; null if invalid. */
function canonical(resource: string): string | null {
  try {
    return printResource(parseResource(resource));
  } catch {
    return null;
  }
}

/** Follows something, or stops: followers are notified of others' changes. Registry staff visiting an account can't follow. */
export function FollowButton({ what, name, size = 'm' }: { what: Followable; name: string; size?: 'm' | 's' }) {
  const { accountName: account, asStaff } = useAccount();
  const { call, notify } = useKit();
  const refusal = useRefusal(whoisFollows.follow);
  const mayFollow = !asStaff && refusal === null && ('class' in what || canonical(what.resource) !== null);
  const { data } = useQuery({ ...reading(call, whoisFollows.listFollows, { account }), enabled: mayFollow });
  const refresh = [whoisFollows.listFollows];
  const follow = useChange(whoisFollows.follow, {
    refresh,
    onDone: () =>
      notify({
        text: `You’re following ${name}. You get a notification when someone else changes it.`,
        link: { href: hrefOfFollowed, label: 'What you follow' },
      }),
  });
  const unfollow = useChange(whoisFollows.unfollow, { refresh, onDone: () => notify({ text: `You no longer follow ${name}.` }) });
  if (!mayFollow || !data) return null;
  const followed = data.rows.find(each => isFollowed(what, each));
  return followed ? (
    <Button
      icon="check"
      size={size}
      busy={unfollow.isPending}
      aria-label={`Stop following ${name}`}
      onClick={() => unfollow.mutate({ account, followId: String(followed.followId) })}
    >
      Following
    </Button>
  ) : (
    <Button
      icon="bell"
      size={size}
      busy={follow.isPending}
      aria-label={`Follow ${name}`}
      onClick={() => follow.mutate({ account, body: what })}
    >
      Follow
    </Button>
  );
}
