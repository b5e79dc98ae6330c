import type { RequestCheck } from '@portal/contract/requests/requests';
import { Link, StateMark } from '@portal/ui';
import { checkMarks } from '../shell/case-words.ts';
import { askedKinds, type AskedKind } from './Offers.tsx';
import styles from './FactTable.module.css';
import { PolicyLink } from './PolicyLink.tsx';

type Row = { key: string; check: RequestCheck; states: Partial<Record<AskedKind, RequestCheck['state']>> };

const shortNames: Record<AskedKind, string> = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS' };

/** The facts that the registry checks, each once, with its source and what it means for each kind. What is different for a kind has a row of its own. */
export function FactTable({ checks }: { checks: Record<AskedKind, readonly RequestCheck[]> }) {
  const rows = rowsOf(checks);
  return (
    <table className={styles.facts} aria-label="Eligibility">
      <thead>
        <tr>
          <th scope="col">Fact</th>
          <th scope="col">Details</th>
          <th scope="col">Source</th>
          {askedKinds.map(kind => (
            <th scope="col" key={kind}>
              {shortNames[kind]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, check, states }) => {
          const { fact, known, source, fix } = check;
          const worst = Object.values(states);
          const isOpen = worst.includes('open');
          return (
            <tr key={key} data-open={isOpen || undefined}>
              <th scope="row">{fact}</th>
              <td>
                {known}
                {worst.includes('unmet') && (
                  <span className={styles.policy}>
                    <PolicyLink check={check} kind={askedKinds.find(kind => states[kind] === 'unmet')!} />
                  </span>
                )}
                {worst.includes('unmet') && fix && <Link href={fix.path}>{fix.label}</Link>}
              </td>
              <td className="quiet">{source}</td>
              {askedKinds.map(kind => {
                const state = states[kind];
                return (
                  <td key={kind} data-kind={shortNames[kind]}>
                    {state === undefined ? (
                      <span className="quiet">
                        <span aria-hidden="true">–</span>
                        <span className="vh">Not needed</span>
                      </span>
                    ) : (
                      <StateMark state={state === 'open' ? 'pending' : checkMarks[state].state} plain>
                        {state === 'open' ? 'Answer' : state === 'review' ? 'Review' : checkMarks[state].words}
                      </StateMark>
                    )}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function rowsOf(checks: Record<AskedKind, readonly RequestCheck[]>): Row[] {
  const rows = new Map<string, Row>();
  for (const kind of askedKinds)
    for (const check of checks[kind]) {
      const key = `${check.checkId} ${check.known}`;
      const row = rows.get(key) ?? { key, check, states: {} };
      row.states[kind] = check.state;
      rows.set(key, row);
    }
  // Those of all kinds first.
  return [...rows.values()].toSorted((a, b) => Object.keys(b.states).length - Object.keys(a.states).length);
}
