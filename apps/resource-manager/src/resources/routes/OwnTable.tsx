import { read, useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type BgpTable, maxOwnAnnouncements, ownBgpTables } from '@portal/contract/routes/own-tables';
import { routes } from '@portal/contract/routes/routes';
import { routeSuggestions } from '@portal/contract/routes/suggestions';
import { Banner, Button, ButtonRow, DateText, EmptyState, Field, FormColumn, formatCount, Sheet, Stack, TextArea } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { FileField } from '@portal/ui/picker/FileField';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { maxFileBytes, type OwnTableFile, readOwnTable } from './own-table-file.ts';
import styles from './Routes.module.css';

const families = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
const columns: Column<BgpTable>[] = [
  {
    id: 'source',
    label: 'Source',
    cell: ({ source, uploadedBy }) => (source === 'own' ? `Your account, uploaded by ${uploadedBy}` : 'Route collectors'),
    text: ({ source }) => source,
    fixed: true,
    wrap: true,
    card: 'key',
  },
  { id: 'family', label: 'Family', cell: ({ family }) => families[family], text: ({ family }) => family },
  {
    id: 'announcements',
    label: 'Announcements',
    cell: ({ announcements }) => formatCount(announcements),
    text: ({ announcements }) => String(announcements),
    align: 'end',
  },
  {
    id: 'collectedAt',
    label: 'Collected',
    cell: ({ collectedAt }) => <DateText value={collectedAt} />,
    text: ({ collectedAt }) => collectedAt,
  },
  { id: 'fileName', label: 'File', cell: ({ fileName }) => fileName, text: ({ fileName }) => fileName, wrap: true, look: 'quiet' },
];

const reads = [ownBgpTables.listTables, routes.listRoutes, routeSuggestions.listSuggestions];

/** Tables that announcements are read from, and the upload of the account's own, which no one else sees. */
export function OwnTable() {
  const { accountName: account } = useAccount();
  return (
    <FirstRead reads={[read(ownBgpTables.listTables, { account })]} fallback={<TableSkeleton />}>
      <Found />
    </FirstRead>
  );
}

function Found() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(ownBgpTables.listTables, { account });
  const { notify } = useKit();
  const refusal = useRefusal(ownBgpTables.removeTable);
  const [asks, setAsks] = useState(false);
  const remove = useChange(ownBgpTables.removeTable, {
    refresh: reads,
    onDone: () => {
      setAsks(false);
      notify({ text: 'Deleted. Your routes are judged by what route collectors see.' });
    },
  });
  return (
    <Stack gap={16}>
      <Sheet
        flush
        title="Where announcements come from"
        actions={
          rows.some(({ source }) => source === 'own') && (
            <Button size="s" icon="trash" refusal={refusal} onClick={() => setAsks(true)}>
              Delete yours
            </Button>
          )
        }
      >
        {rows.length === 0 ? (
          <EmptyState title="No BGP table yet">
            Tables of route collectors appear here once the registry imports them. You can upload your own below.
          </EmptyState>
        ) : (
          <DataTable
            caption={`BGP tables for ${account}`}
            columns={columns}
            rows={rows}
            rowId={({ source, family }) => `${source} ${family}`}
            state={emptyTableState}
          />
        )}
      </Sheet>
      <Upload />
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Delete your BGP table?"
        act="Delete table"
        kind="danger"
        busy={remove.isPending}
        onAct={() => remove.mutate({ account })}
      >
        <p>Announcements that only it has leave your lists and previews. You can upload it again.</p>
      </ConfirmDialog>
    </Stack>
  );
}

type Chosen = OwnTableFile & { name: string };

function Upload() {
  const { form, chosen, wrong, isReading, problems, choose, change } = useOwnTableUpload();
  const refusal = useRefusal(ownBgpTables.uploadTable);
  return (
    <Sheet title="Upload your own table">
      <Form form={form} label="Upload your own table" bare>
        <FormColumn>
          <FormProblems form={form} />
          <p className="small muted">
            What your routers announce or see, for routes that collectors miss. Only your account sees it, and only lines inside your space
            leave this browser. An upload replaces the one before.
          </p>
          <FileField
            label="Table"
            optional
            help="Lines of text, a CSV file, a RIS whois dump or an MRT table, compressed with gzip or not."
            accept=".txt,.csv,.gz,.mrt,.bz,text/plain,text/csv,application/gzip"
            most={1}
            files={[]}
            onChoose={([file]) => choose(file)}
            onRemove={() => undefined}
          />
          {wrong !== null && <Banner kind="error">{wrong}</Banner>}
          {chosen !== null && (
            <p className="small">
              {chosen.name}: {formatCount(chosen.inside)} lines are sent, {formatCount(chosen.outside)} are outside of your space.
            </p>
          )}
          <Field
            {...form.field('text')}
            label="Announcements"
            help={`Prefix and AS number, and the number of peers if known. Up to ${formatCount(maxOwnAnnouncements)}`}
          >
            <TextArea
              mono
              rows={8}
              spellCheck={false}
              placeholder={'192.0.2.0/24 AS64500\n2001:db8::/48 AS64500 12'}
              {...form.input('text')}
              onChange={({ target }) => change(target.value, null)}
            />
          </Field>
          <Problems problems={problems} />
          <ButtonRow>
            <Button type="submit" variant="commit" icon="upload" busy={form.busy || isReading} refusal={refusal} refusalIn="note">
              Upload
            </Button>
          </ButtonRow>
        </FormColumn>
      </Form>
    </Sheet>
  );
}

/** Lines that were refused. */
function Problems({ problems }: { problems: readonly { field?: string | undefined; message: string }[] }) {
  if (problems.length === 0) return null;
  return (
    <div>
      <Banner kind="warning">Nothing was uploaded. Fix what is listed below.</Banner>
      <ul className={styles.list} aria-label="Problems">
        {problems.slice(0, 200).map(({ field, message }) => (
          <li key={`${field} ${message}`}>{message}</li>
        ))}
      </ul>
    </div>
  );
}

/** The text of a table, typed or read from a file, and its upload. */
function useOwnTableUpload() {
  const { accountName: account } = useAccount();
  const { space } = useAnswer(ownBgpTables.listTables, { account });
  const { notify } = useKit();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const upload = useChange(ownBgpTables.uploadTable, {
    showsErrors: true,
    refresh: reads,
    onDone: ({ kept, outside, sets }) => {
      form.reset();
      setChosen(null);
      const left = outside + sets;
      notify({ text: `Uploaded ${formatCount(kept)} announcements${left === 0 ? '' : `, left out ${formatCount(left)}`}.` });
    },
  });
  const form = useForm(
    ownBgpTables.uploadTable.body,
    { text: '' },
    {
      name: 'own-table',
      toBody: ({ text }) => ({ fileName: chosen?.name.slice(0, 120) ?? '', text }),
      check: ({ text }) => ({ ...(text.trim() === '' && { text: 'Choose a file or paste lines first' }) }),
      // The lines that are wrong are listed one by one.
      shownElsewhere: ['INVALID_REQUEST'],
      change: upload,
      send: body => upload.mutate({ account, body }),
    },
  );
  const change = (text: string, from: Chosen | null) => {
    upload.reset();
    setWrong(null);
    form.set({ text });
    setChosen(from);
  };
  const choose = (file: File | undefined): void => {
    if (!file) return;
    if (file.size > maxFileBytes) {
      setWrong(`${file.name} is larger than 200 MB. Leave out what isn’t in your space.`);
      return;
    }
    setReading(true);
    readOwnTable(file, space)
      .then(
        found => change(found.text, { ...found, name: file.name }),
        error => setWrong(`${file.name} can’t be read: ${(error as Error).message}.`),
      )
      .finally(() => setReading(false));
  };
  const problems = (upload.error?.errors ?? []).filter(({ code }) => code === 'INVALID_REQUEST');
  return { form, chosen, wrong, isReading, problems, choose, change };
}
