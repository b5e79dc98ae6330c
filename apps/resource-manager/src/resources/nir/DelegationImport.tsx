import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { nirDelegationColumns, nirDelegations } from '@portal/contract/nir/delegations';
import { Banner, Button, ButtonRow, Checkbox, Field, FormColumn, Sheet, Stack, StateMark, TextArea } from '@portal/ui';
import { useState } from 'react';
import styles from './Nir.module.css';
import { delegationReads, delegationPath as home } from './nir-reads.ts';

const example = `${nirDelegationColumns.join(',')}\nNORTHNET-XX,198.19.32.0/24,assigned,NORTHNET-2,,\nNORTHNET-XX,AS64505,,,,`;

/** Delegates what a CSV file lists: a dry run reports the errors of each line; all are delegated or none. */
export function DelegationImport() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(nirDelegations.importNirDelegations);
  const [csv, setCsv] = useState('');
  const [reuse, setReuse] = useState(false);
  const [tried, setTried] = useState<string | null>(null);
  const now = `${reuse} ${csv}`;
  const send = useChange(nirDelegations.importNirDelegations, {
    refresh: delegationReads,
    onDone: ({ stored, rows }, { body }) => {
      setTried(`${body.reuse} ${body.csv}`);
      if (!stored) return;
      notify({ text: `${rows.length} ${rows.length === 1 ? 'delegation is' : 'delegations are'} recorded.` });
      address.go(home);
    },
  });
  const rows = tried === now ? (send.data?.rows ?? []) : [];
  const wrong = rows.filter(({ problem }) => problem !== null);
  const isRight = rows.length > 0 && wrong.length === 0;
  const missing = csv.trim() === '' ? { reason: 'Choose a file or paste rows first' } : null;
  return (
    <Stack gap={16}>
      <Sheet aria-label="File">
        <FormColumn>
          <Field label="CSV file" optional help="A file replaces the rows below">
            <input
              type="file"
              accept=".csv,text/csv,text/plain"
              aria-label="CSV file"
              onChange={event => {
                const [file] = event.target.files ?? [];
                if (file) void file.text().then(setCsv);
              }}
            />
          </Field>
          <Field label="Rows" help={`The first line names the columns: ${nirDelegationColumns.join(', ')}`}>
            <TextArea mono rows={10} spellCheck={false} placeholder={example} value={csv} onChange={event => setCsv(event.target.value)} />
          </Field>
          <Checkbox
            checked={reuse}
            help="Otherwise returned space isn’t delegated again for 30 days."
            onChange={({ target }) => setReuse(target.checked)}
          >
            Use returned space again immediately
          </Checkbox>
          <ButtonRow>
            <Button
              busy={send.isPending}
              refusal={refusal ?? missing}
              refusalIn="note"
              onClick={() => send.mutate({ account, body: { csv, dryRun: true, reuse } })}
            >
              Dry run
            </Button>
            <Button
              variant="commit"
              busy={send.isPending}
              refusal={refusal ?? missing ?? (isRight ? null : { reason: 'Run a dry run without errors first' })}
              refusalIn="note"
              onClick={() => send.mutate({ account, body: { csv, dryRun: false, reuse } })}
            >
              Delegate all
            </Button>
            <Button onClick={() => address.go(home)}>Cancel</Button>
          </ButtonRow>
        </FormColumn>
      </Sheet>
      {rows.length > 0 && (
        <Sheet title="Dry run" meta={`${rows.length} ${rows.length === 1 ? 'row' : 'rows'}, ${wrong.length} with errors`} flush>
          {wrong.length > 0 && <Banner kind="warning">Fix the rows with errors. No rows are saved until all are right.</Banner>}
          <ul className={styles.list} aria-label="Rows of the file">
            {[...wrong, ...rows.filter(({ problem }) => problem === null)].map(({ line, subaccount, resource, netname, problem }) => (
              <li key={line}>
                <span className={styles.mark}>
                  <StateMark state={problem === null ? 'valid' : 'invalid'}>{problem === null ? 'Valid' : 'Has errors'}</StateMark>
                </span>
                <span className="quiet nw">line {line}</span>
                <span className="mono">{subaccount}</span>
                <span className="mono">{resource}</span>
                <span className="mono">{netname}</span>
                {problem !== null && <span className={styles.words}>{problem}</span>}
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </Stack>
  );
}
