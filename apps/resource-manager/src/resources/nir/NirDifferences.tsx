import { FailureBanner, ServiceFailure, useAccount, useKit, useRefusal } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Form } from '@portal/app-kit/form/Form';
import { noCall, useForm } from '@portal/app-kit/form/use-form';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { recordAddress } from '@portal/contract/records/record-address';
import { resourceKinds } from '@portal/contract/resources/resource-kinds';
import { Banner, Button, ButtonRow, EmptyState, formatCount, Link, Row as Line, Segmented, Sheet, Stack, StateMark } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import { CsvText } from '../CsvText.tsx';
import rowStyles from '../RowList.module.css';
import { DelegationImport } from './DelegationImport.tsx';
import {
  asFile,
  asImport,
  type Comparison,
  compareLists,
  type Difference,
  type Listed,
  readList,
  type Registered,
} from './nir-differences.ts';
import { delegationPath, subaccountsPath, transferPath } from './nir-reads.ts';

/** Differences that are shown before a press shows all. */
const SHOWN_FIRST = 100;
const abouts = ['missing-here', 'missing-there', 'range', 'fields', 'unread'] as const satisfies readonly Difference['about'][];
const marks = {
  'missing-here': { state: 'warning', word: 'Not at the registry' },
  'missing-there': { state: 'warning', word: 'Not in your list' },
  range: { state: 'invalid', word: 'Other numbers' },
  fields: { state: 'info', word: 'Other details' },
  unread: { state: 'invalid', word: 'Not compared' },
} as const;

/** Compares the national registry’s own list with what this registry has. The list stays in the browser. */
export function NirDifferences() {
  const readRegistered = useRegistered();
  const [failure, setFailure] = useState<ServiceFailure | null>(null);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ of: string; comparison: Comparison } | null>(null);
  const [imported, setImported] = useState<string | null>(null);
  const form = useForm(
    // The list itself isn’t sent, so that it may be longer than an import. Pages don’t carry the queries of calls, only their bodies.
    nirDelegations.importNirDelegations.body,
    { csv: '' },
    {
      name: 'own-list',
      toBody: () => ({ csv: 'subaccount,resource' }),
      check: ({ csv }) => {
        const list = readList(csv);
        return { ...('problem' in list && { csv: list.problem }) };
      },
      change: noCall,
      send: (_, { csv }) => void compare(csv),
    },
  );
  const compare = async (csv: string): Promise<void> => {
    const list = readList(csv);
    if ('problem' in list) return;
    setResult(null);
    setBusy(true);
    const registered = await readRegistered().finally(() => setBusy(false));
    if (registered instanceof ServiceFailure) return setFailure(registered);
    setFailure(null);
    setResult({ of: csv, comparison: compareLists(list.rows, registered) });
  };
  if (imported !== null) return <DelegationImport given={imported} onCancel={() => setImported(null)} />;
  return (
    <Stack gap={16}>
      <Sheet aria-label="Your list">
        <Form form={form} label="Your list">
          <p className="small muted">
            Compare your own list of delegations with the registry’s. The list isn’t sent: it is compared in this browser, and nothing is
            changed.
          </p>
          <CsvText
            label="Rows"
            field={form.field('csv')}
            help="The first line names the columns: subaccount and resource, and kind and netname if they are to be compared"
            example={'subaccount,resource,kind,netname\nNORTHNET-XX,198.19.32.0/24,assigned,NORTHNET-2'}
            rows={8}
            value={form.values.csv}
            onChange={csv => form.set({ csv })}
          />
          {failure && <FailureBanner failure={failure} />}
          <ButtonRow>
            <Button type="submit" variant="primary" busy={busy}>
              Compare
            </Button>
          </ButtonRow>
        </Form>
      </Sheet>
      {result !== null && result.of === form.values.csv && (
        <Result comparison={result.comparison} onImport={rows => setImported(asImport(rows))} />
      )}
    </Stack>
  );
}

/** Returns a function that reads everything that the registry has of the sub-accounts, or why it can’t be read. */
function useRegistered(): () => Promise<Registered[] | ServiceFailure> {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  return async () => {
    const registered: Registered[] = [];
    for (const kind of resourceKinds) {
      const answer = await call(nirDelegations.exportNirDelegations, { account, query: { kind, format: 'json' } });
      if (answer.errors) return new ServiceFailure(answer.status, answer.errors);
      const { blob } = answer.data as { blob: Blob };
      registered.push(...(JSON.parse(await blob.text()) as Registered[]));
    }
    return registered;
  };
}

const rowWord = (count: number): string => `${formatCount(count)} ${count === 1 ? 'delegation' : 'delegations'}`;

function Result({ comparison: { same, differences }, onImport }: { comparison: Comparison; onImport: (rows: readonly Listed[]) => void }) {
  const refusal = useRefusal(nirDelegations.importNirDelegations);
  const { accountName: account } = useAccount();
  const [about, setAbout] = useState<Difference['about'] | 'all'>('all');
  const [isWhole, setWhole] = useState(false);
  const counts = abouts.flatMap(each => {
    const count = differences.filter(difference => difference.about === each).length;
    return count > 0 ? [{ about: each, count }] : [];
  });
  const chosen = differences.filter(difference => about === 'all' || difference.about === about);
  const shown = isWhole ? chosen : chosen.slice(0, SHOWN_FIRST);
  const missing = differences.flatMap(each => (each.about === 'missing-here' ? [each.listed] : []));
  if (differences.length === 0)
    return (
      <Sheet title="Differences">
        <EmptyState title="No differences">
          <output>{rowWord(same)} of your list are at the registry, with the same details.</output>
        </EmptyState>
      </Sheet>
    );
  return (
    <Sheet
      flush
      title="Differences"
      meta={
        <output>
          {formatCount(differences.length)} {differences.length === 1 ? 'difference' : 'differences'}, {formatCount(same)} the same
        </output>
      }
      actions={
        counts.length > 1 && (
          <Segmented
            label="Differences shown"
            value={about}
            options={[
              { value: 'all', label: `All ${formatCount(differences.length)}` },
              ...counts.map(each => ({ value: each.about, label: `${marks[each.about].word} ${formatCount(each.count)}` })),
            ]}
            onChange={setAbout}
          />
        )
      }
      footer={
        <ButtonRow>
          {missing.length > 0 && (
            <Button refusal={refusal} refusalIn="note" onClick={() => onImport(missing)}>
              Import {missing.length === 1 ? 'the missing delegation' : `the ${formatCount(missing.length)} missing delegations`}
            </Button>
          )}
          <Button icon="download" onClick={() => saveTextFile(`differences-${account}.csv`, asFile(differences))}>
            Download the differences
          </Button>
        </ButtonRow>
      }
    >
      {same === 0 && (
        <Banner kind="warning">Your list and the registry have nothing in common. Check that it is the list of {account}.</Banner>
      )}
      <ul className={rowStyles.list} aria-label="Differences">
        {shown.map(difference => (
          <li key={keyOf(difference)}>
            <span className={rowStyles.mark}>
              <StateMark state={marks[difference.about].state}>{marks[difference.about].word}</StateMark>
            </span>
            <Words difference={difference} />
            <Acts difference={difference} refusal={refusal} onImport={onImport} />
          </li>
        ))}
      </ul>
      {shown.length < chosen.length && (
        <Line>
          <Button size="s" variant="quiet" onClick={() => setWhole(true)}>
            Show all {formatCount(chosen.length)} differences
          </Button>
        </Line>
      )}
    </Sheet>
  );
}

const keyOf = (each: Difference): string =>
  each.about === 'missing-there' ? `registry ${each.registered.resource}` : `line ${each.listed.line}`;

const Name = ({ children }: { children: ReactNode }) => <span className="mono">{children}</span>;

/** The numbers that differ, with what the list and the registry have. */
function Words({ difference }: { difference: Difference }) {
  if (difference.about === 'missing-there') {
    const { resource, subaccount, netname } = difference.registered;
    return (
      <span className={rowStyles.words}>
        <Name>{resource}</Name> of <Name>{subaccount}</Name>
        {netname && (
          <>
            , <Name>{netname}</Name>
          </>
        )}
      </span>
    );
  }
  const { listed } = difference;
  return (
    <>
      <span className="quiet nw">line {listed.line}</span>
      <span className={rowStyles.words}>
        <Name>{listed.resource || 'No numbers'}</Name>
        {listed.subaccount && (
          <>
            {' '}
            of <Name>{listed.subaccount}</Name>
          </>
        )}
        {difference.about === 'unread' && <>: {difference.problem}</>}
        {difference.about === 'range' && (
          <>
            . Registry:{' '}
            {difference.registered.slice(0, 3).map(({ resource, subaccount }, place) => (
              <span key={resource}>
                {place > 0 && ', '}
                <Name>{resource}</Name> of <Name>{subaccount}</Name>
              </span>
            ))}
            {difference.registered.length > 3 && ` and ${formatCount(difference.registered.length - 3)} more`}
          </>
        )}
        {difference.about === 'fields' &&
          difference.fields.map(field => (
            <span key={field}>
              . {fieldWords[field]}: yours <Name>{valuesOf(difference)[field].yours || 'none'}</Name>, registry’s{' '}
              <Name>{valuesOf(difference)[field].registry || 'none'}</Name>
            </span>
          ))}
      </span>
    </>
  );
}

const fieldWords = { subaccount: 'Sub-account', netname: 'Netname', kind: 'Kind' } as const;
const valuesOf = ({ listed, registered }: Extract<Difference, { about: 'fields' }>) => ({
  subaccount: { yours: listed.subaccount, registry: registered.subaccount },
  netname: { yours: listed.netname, registry: registered.netname },
  kind: { yours: listed.kind, registry: registered.type },
});

/** The act or the page that settles a difference. */
function Acts({
  difference,
  refusal,
  onImport,
}: {
  difference: Difference;
  refusal: ReturnType<typeof useRefusal>;
  onImport: (rows: readonly Listed[]) => void;
}) {
  switch (difference.about) {
    case 'missing-here':
      return (
        <Button
          size="s"
          refusal={refusal}
          aria-label={`Delegate ${difference.listed.resource}`}
          onClick={() => onImport([difference.listed])}
        >
          Delegate
        </Button>
      );
    case 'missing-there':
      return (
        <Link href={`${delegationPath}?q=${encodeURIComponent(difference.registered.resource)}&kind=${kindOf(difference.registered)}`}>
          Show it
        </Link>
      );
    case 'range':
      return (
        <Link href={`${subaccountsPath}?subaccount=${difference.registered[0]!.subaccountId}`}>
          Show {difference.registered[0]!.subaccount}
        </Link>
      );
    case 'fields':
      return difference.fields.includes('subaccount') ? (
        <Link href={`${transferPath}?from=${difference.registered.subaccountId}`}>Move it</Link>
      ) : (
        <Link href={recordAddress(difference.registered.resource)}>Show it</Link>
      );
    case 'unread':
      return null;
  }
}

const kindOf = ({ resource }: Registered): string => (resource.startsWith('AS') ? 'asn' : resource.includes(':') ? 'ipv6' : 'ipv4');
