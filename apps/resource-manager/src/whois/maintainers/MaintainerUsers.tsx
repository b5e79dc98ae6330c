import { ErrorWords, useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { contacts } from '@portal/contract/contacts/contacts';
import { lastUserHours } from '@portal/contract/whois/maintainer-users';
import { whois, type WhoisMaintainer } from '@portal/contract/whois/whois';
import { Banner, Button, Checkbox, Row, SkeletonLines, Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { Suspense, useState } from 'react';

/** Sets which contacts may use a maintainer; corporate contacts always may. */
export function MaintainerUsers({ row, onClose }: { row: WhoisMaintainer; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(row.users?.map(({ contactId }) => contactId)));
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
  const toggle = (contactId: string) => {
    const next = new Set(chosen);
    if (!next.delete(contactId)) next.add(contactId);
    setChosen(next);
  };
  const mayNot = unread ?? (row.users === null ? { reason: 'Who may use it is you don’t have permission to see users' } : null);
  return (
    <Dialog open onClose={onClose} title={`Users of ${row.maintainer}`}>
      <Stack gap={16}>
        <p className="small muted">
          Users can change every object {row.maintainer} maintains. Corporate contacts always can. You can’t change your own access.
          Removing the last user takes {lastUserHours} hours and can be stopped with a link we e-mail.
        </p>
        {grant.error && (
          <Banner kind="error" traceId={grant.error.errors[0]?.traceId}>
            <ErrorWords message={grant.error.message} />
          </Banner>
        )}
        {!mayNot && (
          <Suspense fallback={<SkeletonLines lines={3} label="Loading contacts" />}>
            <Choices chosen={chosen} toggle={toggle} />
          </Suspense>
        )}
        <Row gap={8} wrap>
          <Button
            variant="primary"
            busy={grant.isPending}
            refusal={mayNot}
            refusalIn="note"
            onClick={() => grant.mutate({ account, maintainer: row.maintainer, body: { contactIds: [...chosen] } })}
          >
            Save users
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Row>
      </Stack>
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
