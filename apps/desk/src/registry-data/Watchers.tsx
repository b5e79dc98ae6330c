import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Watcher, watchers } from '@portal/contract/status-pages/watchers';
import { Banner, Button, CopyButton, DateText, EmptyState, Field, Row, Sheet, Stack, StateMark, TextInput } from '@portal/ui';
import { ConfirmDialog, Dialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { type ReactNode, useState } from 'react';
import styles from './Watchers.module.css';

const refresh = [watchers.listWatchers];

const stateMarks = {
  reporting: <StateMark state="valid">Reporting</StateMark>,
  silent: <StateMark state="invalid">Silent</StateMark>,
  new: <StateMark state="pending">Not reported yet</StateMark>,
  revoked: <StateMark state="pending">Revoked</StateMark>,
} as const;

const columnsWith = (acts: (watcher: Watcher) => ReactNode): Column<Watcher>[] => [
  {
    id: 'place',
    label: 'Watcher',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ place, prefix }) => (
      <>
        <bdi>{place}</bdi>
        <br />
        <span className="mono small quiet">{prefix}…</span>
      </>
    ),
  },
  { id: 'state', label: 'State', card: 'state', fixed: true, cell: ({ state }) => stateMarks[state] },
  {
    id: 'lastUse',
    label: 'Last report',
    fixed: true,
    wrap: true,
    cell: ({ lastUse }) =>
      lastUse === null ? (
        <span className="quiet">never</span>
      ) : (
        <>
          <DateText value={lastUse.at} />
          <br />
          <span className="mono small quiet">{lastUse.address}</span>
        </>
      ),
  },
  {
    id: 'created',
    label: 'Created',
    fixed: true,
    wrap: true,
    cell: ({ createdAt, createdBy }) => (
      <>
        <DateText value={createdAt} shape="date" />
        <br />
        <span className="small quiet">by {createdBy}</span>
      </>
    ),
  },
  { id: 'acts', label: 'Actions', fixed: true, cell: acts },
];

/** Watchers on other networks that report to the status page: their tokens, and when each reported last. */
export function Watchers() {
  const { rows, fetched } = useAnswer(watchers.listWatchers, {});
  const refusal = useRefusal(watchers.addWatcher);
  const [table, setTable] = useState(emptyTableState);
  const [open, setOpen] = useState<{ act: 'add' } | { act: 'rename' | 'revoke'; watcher: Watcher } | null>(null);
  const close = () => setOpen(null);
  const acts = (watcher: Watcher) =>
    watcher.state !== 'revoked' && (
      <Row gap={8}>
        <Button size="s" refusal={refusal} onClick={() => setOpen({ act: 'rename', watcher })} aria-label={`Rename ${watcher.place}`}>
          Rename
        </Button>
        <Button
          size="s"
          variant="danger"
          refusal={refusal}
          onClick={() => setOpen({ act: 'revoke', watcher })}
          aria-label={`Revoke ${watcher.place}`}
        >
          Revoke
        </Button>
      </Row>
    );
  return (
    <Sheet
      flush
      title="Watchers of the status page"
      actions={
        <Button size="s" icon="plus" refusal={refusal} onClick={() => setOpen({ act: 'add' })}>
          Create token
        </Button>
      }
      footer={fetched.length > 0 ? `Fetched as the settings say, without a token here: ${fetched.join(', ')}.` : undefined}
    >
      <DataTable
        caption="Watchers of the status page"
        columns={columnsWith(acts)}
        rows={rows}
        rowId={({ watcherId }) => watcherId}
        state={table}
        onStateChange={setTable}
        empty={
          <EmptyState title="No watcher has a token" picture={false}>
            A watcher is a machine on another network that asks the public services every minute. The status page shows what it sees. Create
            a token for the first one.
          </EmptyState>
        }
      />
      {open?.act === 'add' && <AddDialog onClose={close} />}
      {open?.act === 'rename' && <RenameDialog watcher={open.watcher} onClose={close} />}
      {open?.act === 'revoke' && <RevokeDialog watcher={open.watcher} onClose={close} />}
    </Sheet>
  );
}

/** Creates a token, and shows it once with the command that uses it. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const change = useChange(watchers.addWatcher, { refresh, showsErrors: true });
  const form = useForm(
    watchers.addWatcher.body,
    { place: '' },
    { name: 'watcher', ifEmpty: { place: 'Enter where it is, such as Singapore' }, change, send: body => change.mutate({ body }) },
  );
  if (change.data) return <NewToken watcher={change.data.watcher} token={change.data.token} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Create a watcher’s token">
      <ActForm form={form} act="Create token" onClose={onClose}>
        <Field label="Place" help="The status page names the watcher by it." {...form.field('place')}>
          <TextInput {...form.input('place')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}

function NewToken({ watcher: { place }, token, onClose }: { watcher: Watcher; token: string | null; onClose: () => void }) {
  if (token === null)
    return (
      <Dialog open onClose={onClose} title={`The token of ${place}`}>
        <Banner kind="warning" title="The token was already shown.">
          It can’t be shown again. If you don’t have it, revoke it and create another one.
        </Banner>
      </Dialog>
    );
  return (
    <Dialog open onClose={onClose} title={`The token of ${place}`}>
      <Stack gap={12}>
        <Banner kind="warning" title="Store the token now.">
          It is shown this once and can’t be recovered.
        </Banner>
        {/* No picture of the page is kept. */}
        <div className={styles.token} data-shown-once="">
          <code className="mono">{token}</code>
          <CopyButton text={token} label="Copy token" />
        </div>
        <p className="small">
          On the watcher, set <span className="mono">WATCH_TOKEN</span> to it and run this every minute, with one of the registry’s own
          prefixes:
        </p>
        <pre className={`mono small ${styles.command}`}>registry watch send --portal {location.origin} --network 192.0.2.0/24</pre>
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      </Stack>
    </Dialog>
  );
}

function RenameDialog({ watcher: { watcherId, place }, onClose }: { watcher: Watcher; onClose: () => void }) {
  const { notify } = useKit();
  const change = useChange(watchers.renameWatcher, {
    refresh,
    showsErrors: true,
    onDone: saved => {
      notify({ text: `${place} is called ${saved.place} now.` });
      onClose();
    },
  });
  const form = useForm(
    watchers.renameWatcher.body,
    { place },
    {
      name: 'watcher-name',
      ifEmpty: { place: 'Enter where it is, such as Singapore' },
      change,
      send: body => change.mutate({ watcherId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Rename ${place}`}>
      <ActForm form={form} act="Rename" onClose={onClose}>
        <Field label="Place" help="The token stays." {...form.field('place')}>
          <TextInput {...form.input('place')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}

function RevokeDialog({ watcher: { watcherId, place }, onClose }: { watcher: Watcher; onClose: () => void }) {
  const { notify } = useKit();
  const change = useChange(watchers.revokeWatcher, {
    refresh,
    showsErrors: true,
    onDone: () => {
      notify({ text: `The token of ${place} is revoked.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Revoke the token of ${place}?`}
      act="Revoke token"
      kind="danger"
      busy={change.isPending}
      onAct={() => change.mutate({ watcherId })}
      onClose={onClose}
    >
      <p>
        Its next report is refused, and its last one no longer counts on the status page. This can’t be undone: the watcher needs a new
        token.
      </p>{' '}
    </ConfirmDialog>
  );
}
