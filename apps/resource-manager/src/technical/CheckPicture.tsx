/* oxlint-disable jsx-a11y/prefer-tag-over-role -- drawn, not listed */
import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import styles from './RdnsCheckPage.module.css';

/** The delegation from the root to the servers, with the broken link. The table below has it as text. */
export function CheckPicture({ zone, report: { chain, servers, ds, findings } }: { zone: string; report: CheckReport }) {
  const isBroken = findings.some(
    ({ check, state }) => state === 'failed' && ['dsMatches', 'dsSigned', 'keySignature', 'signatureTime'].includes(check),
  );
  // A link for which no server answered is drawn as unsigned: what wasn’t checked is not good.
  const isChecked = findings.some(({ check, state }) => check === 'dsMatches' && state === 'passed');
  const above = chain.length > 0 ? chain : [{ zone: '', signed: null, servers: null }];
  const rows = Math.max(1, servers.length);
  const height = Math.max(120, rows * 58 + 16);
  const middle = height / 2;
  const step = Math.min(120, 440 / above.length);
  const own = 40 + above.length * step;
  return (
    <div className={styles.chain}>
      <svg
        viewBox={`0 0 1000 ${height}`}
        role="img"
        aria-label={`Delegation of ${zone}: ${servers.map(({ server, said }) => `${server}: ${said}`).join('; ') || 'no servers'}`}
      >
        {above.map(({ zone: name, signed, servers: count }, index) => {
          const x = 40 + index * step;
          const next = above[index + 1];
          const isSigned = next ? next.signed : ds.length > 0 && isChecked;
          return (
            <g key={name}>
              <line
                className={next === undefined && isBroken ? styles.broken : isSigned ? styles.signed : styles.line}
                x1={x}
                x2={x + step}
                y1={middle}
                y2={middle}
              />
              <rect className={styles.node} x={x - 6} y={middle - 6} width={12} height={12} />
              <text className={styles.name} x={x} y={middle + (index % 2 ? 40 : 24)} textAnchor="middle">
                {name === '' ? (chain.length > 0 ? '.' : 'above') : name.split('.')[0]}
              </text>
              <text className={styles.note} x={x} y={middle - 14} textAnchor="middle">
                {count === null ? '' : `${count}${signed ? ' ✓' : ''}`}
              </text>
            </g>
          );
        })}
        <rect className={styles.own} x={own - 7} y={middle - 7} width={14} height={14} />
        <text className={styles.name} x={own} y={middle - 20} textAnchor="middle">
          {zone.length > 26 ? `${zone.slice(0, 25)}…` : zone}
        </text>
        {servers.map(({ server, address, state, said, serial, udpMs, tcpMs }, index) => {
          const y = (height / rows) * (index + 0.5);
          const good = state === 'authoritative';
          return (
            <g key={`${server} ${address}`}>
              <title>{`${server} ${address}: ${said}`}</title>
              <path className={good ? styles.line : styles.broken} d={`M${own + 7} ${middle}H${own + 40}V${y}H640`} fill="none" />
              {!good && (
                <text className={styles.name} x={624} y={y - 6} textAnchor="middle">
                  ✕
                </text>
              )}
              <rect className={good ? styles.good : styles.bad} x={640} y={y - 24} width={350} height={48} />
              <text className={styles.name} x={652} y={y - 5}>
                {server.slice(0, 42)}
              </text>
              <text className={styles.note} x={652} y={y + 13}>
                {good
                  ? `serial ${serial}, UDP ${udpMs === null ? '–' : `${Math.round(udpMs)} ms`}, TCP ${tcpMs === null ? '–' : `${Math.round(tcpMs)} ms`}`
                  : said.slice(0, 58)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
