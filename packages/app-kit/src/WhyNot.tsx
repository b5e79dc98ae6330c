import { contacts } from '@portal/contract/contacts';
import { permissions } from '@portal/contract/permissions';
import { Button, DateText, Link, Refusal, type RefusalReason, SkeletonLines, Stack, TextInput } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { reading, useChange } from './answer.ts';
import { useKit, usePlace } from './kit.ts';
import { type RefusedBy, refusedBy } from './refusal.ts';
import { useMaybeSession } from './session.ts';
import type { Access, Method } from '@portal/contract/endpoint';

const listOf = (names: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** Who can grant a permission, and the button that asks them. Read only when it is on the screen. */
function AskForPermission({ permission, account }: { permission: NonNullable<RefusedBy['permission']>; account: string }) {
  const { call } = useKit();
  const { path } = usePlace();
  const [message, setMessage] = useState('');
  const ask = useChange(contacts.askForPermission, { refresh: [contacts.whoHoldsPermission], showsErrors: true });
  const { data, error } = useQuery(reading(call, contacts.whoHoldsPermission, { account, query: { permission } }));
  if (error) return <p>Who can help could not be read: {error.message}</p>;
  if (!data) return <SkeletonLines lines={1} label="Looking up who can help" />;
  const askedAt = ask.data?.askedAt ?? data.askedAt;
  const granters = data.granters.map(granter => granter.name);
  if (askedAt)
    return (
      <output>
        You asked {ask.data ? listOf(ask.data.asked) : 'for it'} on <DateText value={askedAt} />. You can ask again after 24 hours.
      </output>
    );
  if (granters.length === 0) return <p>Nobody in {account} can grant it at the moment. Registry staff can help.</p>;
  const others = granters.length - 1;
  return (
    <Stack gap={8} style={{ maxWidth: 'var(--measure)', justifyItems: 'start' }}>
      <p>
        It needs “{data.label}”. {listOf(granters)} can grant it.
      </p>
      <TextInput
        aria-label="Message, optional"
        placeholder="Message, optional"
        value={message}
        maxLength={500}
        onChange={event => setMessage(event.target.value)}
      />
      {ask.error && <p role="alert">{ask.error.message}</p>}
      <Button
        size="s"
        icon="mail"
        busy={ask.isPending}
        onClick={() => ask.mutate({ account, body: { permissions: [permission], page: path, message } })}
      >
        Ask {granters[0]}
        {others > 0 && ` and ${others} more`}
      </Button>
    </Stack>
  );
}

/** "Why not?" in place of a page or beside a button: the rule that refuses, who can help, and the way to ask them. */
export function WhyNot({ refusal, title }: { refusal: RefusedBy; title?: ReactNode }) {
  const session = useMaybeSession();
  const { profileUrl, appUrl } = useKit().environment;
  // The page of a provider elsewhere has an order of its own.
  const factorsUrl = profileUrl === `${appUrl}/account` ? `${profileUrl}/factors` : profileUrl;
  const account = session?.account && !session.account.asStaff ? session.account.accountName : null;
  const help: Partial<Record<RefusedBy['rule'], ReactNode>> = {
    corporate: 'A corporate contact of the account can do this, or make you one.',
    'second-factor': (
      <>
        Turn on a second factor under <Link href={factorsUrl}>your login</Link>, log out and log in again.
      </>
    ),
    'no-account': (
      <>
        <Link href="/link-existing-membership">Link an existing membership</Link> or <Link href="/add-account">apply for one</Link>.
      </>
    ),
    permission: refusal.permission && `It needs the permission “${permissions[refusal.permission].label}”.`,
  };
  const asks = refusal.permission && account;
  return (
    <Refusal title={title} rule={`${refusal.sentence.replace(/[.!]?$/, mark => mark || '.')}`} help={asks ? undefined : help[refusal.rule]}>
      {asks && refusal.permission && <AskForPermission permission={refusal.permission} account={account} />}
    </Refusal>
  );
}

/** A reason fit for `Button refusal={…}`: the sentence, and "Who can help?" that opens the rest. */
export type KitRefusal = RefusalReason & RefusedBy;

function AskWhy({ refusal }: { refusal: RefusedBy }) {
  const [open, setOpen] = useState(false);
  if (open) return <WhyNot refusal={refusal} />;
  return (
    <Button variant="quiet" size="s" onClick={() => setOpen(true)}>
      Who can help?
    </Button>
  );
}

/**
 * Why the person may not use an endpoint or open a page, ready for the button that would: `<Button refusal={useRefusal(endpoint)}>`.
 * Null when nothing speaks against it.
 */
export function useRefusal(subject: { access: Access; method?: Method }): KitRefusal | null {
  const session = useMaybeSession();
  const refusal = refusedBy(subject, session);
  return refusal && { ...refusal, reason: refusal.sentence, ask: <AskWhy refusal={refusal} /> };
}
