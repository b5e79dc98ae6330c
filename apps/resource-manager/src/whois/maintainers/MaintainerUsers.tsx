import { useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { contacts } from '@portal/contract/contacts/contacts';
import { lastUserHours } from '@portal/contract/whois/maintainer-users';
import { whois, type WhoisMaintainer } from '@portal/contract/whois/whois';
import { Button, Checkbox, Row, SkeletonLines, Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { Suspense } from 'react';

/** Sets which contacts may use a maintainer; corporate contacts always may. */
export function MaintainerUsers({ row, onClose }: { row: WhoisMaintainer; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const unread = useRefusal(contacts.listContacts);
  const grant = useChange(whois.grantMaintainer, {
    refresh: [whois.listMaintainers, contacts.listContacts],
    showsErrors: true,
    onDone: ({ rows }, { maintainer }) => {
      const ends = rows.find(each => each.maintainer === maintainer)?.usersEndAt != null;
      notify({
        text: ends
          ? `${maintainer} loses its last users in ${lastUserHours} hours. They get an e-mail.`
          : `Users of ${maintainer} changed.`,
      });
      onClose();
    },
  });
  const form = useForm(
    whois.grantMaintainer.body,
    { contactIds: (row.users ?? []).map(({ contactId }) => contactId) },
    { name: 'maintainer-users', change: grant, send: body => grant.mutate({ account, maintainer: row.maintainer, body }) },
  );
  const chosen = new Set(form.values.contactIds);
  const toggle = (contactId: string) =>
    form.set({
      contactIds: chosen.has(contactId)
        ? form.values.contactIds.filter(each => each !== contactId)
        : [...form.values.contactIds, contactId],
    });
  const mayNot = unread ?? (row.users === null ? { reason: 'Who may use it is you don’t have permission to see users' } : null);
  return (
    <Dialog open onClose={onClose} title={`Users of ${row.maintainer}`}>
      <Form form={form} onClose={onClose}>
        <p className="small muted">
          Users can change every object {row.maintainer} maintains. Corporate contacts always can. You can’t change your own access.
          Removing the last user takes {lastUserHours} hours and can be stopped with a link we e-mail.
        </p>
        {!mayNot && (
          <Suspense fallback={<SkeletonLines lines={3} label="Loading contacts" />}>
            <Choices chosen={chosen} toggle={toggle} />
          </Suspense>
        )}
        <Row gap={8} wrap>
          <Button type="submit" variant="primary" busy={form.busy} refusal={mayNot} refusalIn="note">
            Save users
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Row>
      </Form>
    </Dialog>
  );
}

function Choices({ chosen, toggle }: { chosen: ReadonlySet<string>; toggle: (contactId: string) => void }) {
  const { accountName: account } = useAccount();
  const { rows, total } = useAnswer(contacts.listContacts, { account, query: { limit: 500 } });
  const active = rows.filter(({ status }) => status === 'active');
  return (
    <Stack gap={8}>
      {active.map(({ contactId, fullName, email, contactTypes, isMe }) =>
        contactTypes.includes('corporate') ? (
          <p key={contactId} className="small">
            <span className="strong">{fullName}</span> <span className="quiet">corporate contact, always</span>
          </p>
        ) : isMe ? (
          <p key={contactId} className="small">
            <span className="strong">{fullName}</span>{' '}
            <span className="quiet">you: {chosen.has(contactId) ? 'can use it' : 'another contact has to allow it'}</span>
          </p>
        ) : (
          <Checkbox key={contactId} checked={chosen.has(contactId)} onChange={() => toggle(contactId)} help={email}>
            {fullName}
          </Checkbox>
        ),
      )}
      {total > rows.length && (
        <p className="small quiet">
          The first {rows.length} of {total} contacts.
        </p>
      )}
    </Stack>
  );
}
