import { permissions } from '@portal/contract';
import { Button, Link, Refusal, type RefusalReason, SkeletonLines } from '@portal/ui';
import { type ReactNode, Suspense, useState } from 'react';
import { useKit } from '../kit/kit.ts';
import { later } from './later.tsx';
import { type RefusedBy, refusedBy } from './refusal.ts';
import { useMaybeSession } from '../session/session.ts';

// Few people are refused, and fewer ask for help, so this is loaded on demand.
const StaffPermissionNames = later(() => import('./StaffPermissionNames.tsx'), 'StaffPermissionNames');
const AskForPermission = later(() => import('./AskForPermission.tsx'), 'AskForPermission');

/** "Why not?" instead of a page or beside a button: the refusing rule, who can help, and the way to ask them. */
export function WhyNot({ refusal, title }: { refusal: RefusedBy; title?: ReactNode }) {
  const session = useMaybeSession();
  const account = session?.account && !session.account.asStaff ? session.account.accountName : null;
  const help: Partial<Record<RefusedBy['rule'], ReactNode>> = {
    corporate: 'A corporate contact of the account can do this or make you one.',
    'second-factor': (
      <>
        This needs a second factor. You add one in a minute and come back to this page. <AddSecondFactor />
      </>
    ),
    feature: <Link href="/help/missing-features">Why a page or button is missing</Link>,
    'no-account': (
      <>
        <Link href="/link-existing-membership">Link an existing membership</Link> or <Link href="/add-account">apply for one</Link>.
      </>
    ),
    'staff-permission': (
      <Suspense>
        You need <StaffPermissionNames permissions={refusal.staffPermissions ?? []} quoted />.{' '}
        <Link href="/desk/own-roles">See who can give it to you</Link>
      </Suspense>
    ),
    permission: refusal.permission && `It needs the “${permissions[refusal.permission].label}” permission.`,
  };
  const asks = refusal.permission && account;
  return (
    <Refusal title={title} rule={`${refusal.sentence.replace(/[.!]?$/, mark => mark || '.')}`} help={asks ? undefined : help[refusal.rule]}>
      {asks && refusal.permission && (
        <Suspense fallback={<SkeletonLines lines={1} label="Looking up who can help" />}>
          <AskForPermission permission={refusal.permission} account={account} />
        </Suspense>
      )}
    </Refusal>
  );
}

function AddSecondFactor() {
  const { askForSecondFactor } = useKit();
  return (
    <Button size="s" onClick={askForSecondFactor}>
      Add a second factor
    </Button>
  );
}

/** A reason fit for `Button refusal={…}`: the sentence, and "Who can help?" that opens the rest. */
export type KitRefusal = RefusalReason & RefusedBy;

function AskWhy({ refusal }: { refusal: RefusedBy }) {
  const [open, setOpen] = useState(false);
  if (open) return <WhyNot refusal={refusal} />;
  if (refusal.rule === 'second-factor') return <AddSecondFactor />;
  return (
    <Button variant="quiet" size="s" onClick={() => setOpen(true)}>
      Who can help?
    </Button>
  );
}

/**
 * Why the person may not use an endpoint or open a page, ready for the button that would: `<Button refusal={useRefusal(endpoint)}>`.
 * Null if they may.
 */
export function useRefusal(subject: Parameters<typeof refusedBy>[0]): KitRefusal | null {
  const session = useMaybeSession();
  const refusal = refusedBy(subject, session);
  // Of the desk people see what their roles let them do, and nothing else.
  return refusal && { ...refusal, reason: refusal.sentence, ask: <AskWhy refusal={refusal} />, hides: refusal.rule === 'staff-permission' };
}
