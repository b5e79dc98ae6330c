import { Page, type PageReads, refusedBy, useMaybeSession, WhyNot } from '@portal/app-kit';
import { Disclosure, Sheet, Stack } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { wordsOf } from '../kind-words.ts';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';
import { allocationsOf, RegistrationsTable, registrationsOf, seePrivate } from './RegistrationsTable.tsx';

type Family = 'ipv4' | 'ipv6';

/** Registrations below the delegations of one family, with free space. */
export function RegistrationsPage({ kind }: { kind: Family }) {
  const title = `${wordsOf[kind].name} registrations`;
  return (
    <Page
      title={title}
      breadcrumb={<ResourcesBreadcrumb page={title} />}
      sub="Assignments and sub-allocations, with the free space between them."
    >
      <AccountNote />
      <Stack gap={16}>
        <PrivateNote />
        <Sheet flush aria-label={title}>
          <RegistrationsTable kind={kind} />
        </Sheet>
      </Stack>
    </Page>
  );
}

/** Says that private registrations are left out, and who can help. */
function PrivateNote() {
  const refusal = refusedBy(seePrivate, useMaybeSession());
  if (!refusal) return null;
  return (
    <Disclosure summary="Private registrations are hidden. Why?">
      <WhyNot refusal={refusal} title="Private registrations" />
    </Disclosure>
  );
}

/** The reads with which the page of a family begins. */
export const registrationReads =
  (kind: Family): PageReads =>
  page => [registrationsOf(kind, page), allocationsOf(kind, page.account)];
