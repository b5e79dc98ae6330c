import { Page, read, reading, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type Checklist, rpkiChecklists } from '@portal/contract/rpki/checklists';
import { rpki } from '@portal/contract/rpki/rpki';
import {
  Breadcrumb,
  Button,
  DateText,
  EmptyState,
  Link,
  LinkButton,
  Row,
  Sheet,
  SkeletonRows,
  Stack,
  type State,
  StateMark,
} from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { usePollingDelay } from '../../shell/polling.ts';
import { NewChecklist } from './NewChecklist.tsx';
import { saveObject } from './save-object.ts';
import { VerifyChecklist } from './VerifyChecklist.tsx';

const home = '/resources/rpki/rscs';

const stateWords: Record<Checklist['state'], readonly [State, string]> = {
  signing: ['pending', 'Being signed'],
  valid: ['valid', 'Valid'],
  expired: ['closed', 'Expired'],
  revoked: ['closed', 'Revoked'],
  'not-held': ['warning', 'Resources not certified'],
  'key-gone': ['warning', 'Key replaced: sign it again'],
};

/** Signed checklists (RSC): the list, a new one (`?new=yes`), one to revoke (`?revoke=ID`), and the check of one that was received. */
export default function ChecklistsPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const isNew = address.get('new') !== null;
  const refusal = useRefusal(rpkiChecklists.signChecklist);
  return (
    <Page
      title={isNew ? 'New signed checklist' : 'Signed checklists'}
      sub="Prove that you hold number resources: sign a list of files with your resource certificate (RSC)."
      {...(isNew && { breadcrumb: <Breadcrumb items={[{ label: 'Signed checklists', href: home }, { label: 'New signed checklist' }]} /> })}
      actions={
        !isNew && (
          <Button
            variant="primary"
            icon="plus"
            refusal={refusal}
            refusalIn="note"
            onClick={() => address.set({ new: 'yes' }, { step: true })}
          >
            Sign a checklist
          </Button>
        )
      }
    >
      <AccountNote />
      <FirstRead
        reads={[read(rpkiChecklists.listChecklists, { account }), read(rpki.getStatus, { account })]}
        fallback={
          <Sheet flush aria-label="Signed checklists">
            <SkeletonRows rows={4} label="Loading signed checklists" />
          </Sheet>
        }
      >
        {isNew ? <NewChecklist /> : <Checklists />}
      </FirstRead>
    </Page>
  );
}

const columns: Column<Checklist>[] = [
  {
    id: 'files',
    label: 'Files',
    cell: ({ files }) => (
      <span>
        <span className="mono">{files.find(({ name }) => name !== null)?.name ?? `${files[0]!.sha256.slice(0, 16)}…`}</span>
        {files.length > 1 && <span className="quiet"> and {files.length - 1} more</span>}
      </span>
    ),
    text: ({ files }) => files.map(({ name, sha256 }) => name ?? sha256).join(', '),
    fixed: true,
  },
  {
    id: 'state',
    label: 'State',
    cell: ({ state }) => <StateMark state={stateWords[state][0]}>{stateWords[state][1]}</StateMark>,
    text: ({ state }) => stateWords[state][1],
    card: 'state',
  },
  {
    id: 'resources',
    label: 'Resources',
    cell: ({ resources }) => <span className="mono">{resources.join(', ')}</span>,
    text: ({ resources }) => resources.join(', '),
    wrap: true,
    card: 'wide',
  },
  { id: 'endsAt', label: 'Valid until', cell: ({ endsAt }) => <DateText value={endsAt} shape="date" />, text: ({ endsAt }) => endsAt },
  { id: 'comment', label: 'Comment', cell: ({ comment }) => comment, look: 'quiet', wrap: true, card: 'wide' },
];

function Checklists() {
  const { accountName: account } = useAccount();
  const { call, notify, showErrors } = useKit();
  const address = useAddress();
  const [table, setTable] = useState(emptyTableState);
  const { rows } = useAnswer(rpkiChecklists.listChecklists, { account });
  const { mode } = useAnswer(rpki.getStatus, { account });
  const delay = usePollingDelay();
  useQuery({
    ...reading(call, rpkiChecklists.listChecklists, { account }),
    refetchInterval: rows.some(({ state }) => state === 'signing') ? delay : false,
  });
  const refusal = useRefusal(rpkiChecklists.revokeChecklist);
  const close = () => address.set({ revoke: null });
  const revoke = useChange(rpkiChecklists.revokeChecklist, {
    refresh: [rpkiChecklists.listChecklists],
    onProposed: close,
    onDone: () => {
      close();
      notify({ text: 'The checklist is revoked. Validators refuse it from the next publication on.' });
    },
  });
  const asked = rows.find(({ checklistId }) => checklistId === address.get('revoke'));
  const save = async ({ checklistId }: Checklist): Promise<void> => {
    const answer = await call(rpkiChecklists.getChecklist, { account, checklistId });
    if (answer.errors) return showErrors(answer.errors);
    if (answer.data?.object) saveObject(answer.data.object, `${account}-${checklistId}.sig`);
  };
  return (
    <Stack gap={16}>
      <Sheet flush aria-label="Signed checklists">
        {rows.length === 0 ? (
          mode === 'off' ? (
            <EmptyState title="RPKI is off" action={<LinkButton href="/resources/rpki/index">Enable RPKI</LinkButton>}>
              A checklist is signed with the resource certificate of {account}, which it gets when RPKI is enabled.
            </EmptyState>
          ) : (
            <EmptyState title="No signed checklists yet" action={<Link href={`${home}?new=yes`}>Sign the first one</Link>}>
              Sign a letter of authority or a contract, so that its reader can check that the holder of the prefixes agreed to it.
            </EmptyState>
          )
        ) : (
          <DataTable
            caption={`Signed checklists of ${account}`}
            columns={columns}
            rows={rows}
            rowId={({ checklistId }) => checklistId}
            rowLabel={({ files }) => files[0]!.name ?? files[0]!.sha256}
            state={table}
            onStateChange={setTable}
            countLabel={`${rows.length} ${rows.length === 1 ? 'checklist' : 'checklists'}`}
            rowActions={row => (
              <Row gap={4}>
                {row.state !== 'signing' && (
                  <Button size="s" variant="quiet" icon="download" onClick={() => void save(row)}>
                    Download
                  </Button>
                )}
                {(row.state === 'valid' || row.state === 'signing' || row.state === 'not-held') && (
                  <Button
                    size="s"
                    variant="quiet"
                    refusal={refusal}
                    refusalIn="note"
                    onClick={() => address.set({ revoke: row.checklistId }, { step: true })}
                  >
                    Revoke
                  </Button>
                )}
              </Row>
            )}
          />
        )}
      </Sheet>
      <VerifyChecklist />
      <ConfirmDialog
        open={asked !== undefined}
        onClose={close}
        title="Revoke the checklist?"
        act="Revoke checklist"
        kind="danger"
        busy={revoke.isPending}
        onAct={() => asked && revoke.mutate({ account, checklistId: asked.checklistId })}
      >
        <p>
          Anyone who checks it finds it revoked from the next publication on, within seconds. This can’t be undone: sign a new one instead.
        </p>
      </ConfirmDialog>
    </Stack>
  );
}
