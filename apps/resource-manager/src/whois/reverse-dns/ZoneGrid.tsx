import type { ZoneBlock } from '@portal/contract/reverse-dns/reverse-dns';
import { classNames, formatCount, Icon, Link, ResourceName } from '@portal/ui';
import styles from './ZoneGrid.module.css';
import { dnssecWords, hrefOfAdding, hrefOfZone, stateWords } from './zone-words.ts';

/** Above this number, cells are drawn without text. */
const FEW = 64;

type Cell = ZoneBlock['cells'][number];

/** The zones of each held prefix, one cell per zone in rows of a power of two, coloured by state; prefixes of one zone share a row. The table of the same page has them as text. */
export function ZoneGrid({ blocks, isShown }: { blocks: readonly ZoneBlock[]; isShown: (cell: Cell) => boolean }) {
  const counts = new Map<Cell['state'], number>();
  for (const { state } of blocks.flatMap(({ cells }) => cells)) counts.set(state, (counts.get(state) ?? 0) + 1);
  const single = blocks.filter(({ cells }) => cells.length === 1 && cells.every(isShown));
  return (
    <>
      <div className={styles.blocks}>
        {blocks
          .filter(({ cells }) => cells.length > 1 && cells.some(isShown))
          .map(block => (
            <section key={block.prefix} aria-label={`Zones of ${block.prefix}`}>
              <div className={styles.head}>
                <ResourceName kind={block.kind} text={block.prefix} strong />
                <span className="quiet">
                  {formatCount(block.covered)} of {formatCount(block.needed)} {block.needed === 1 ? 'zone' : 'zones'} delegated
                  {block.delegated > block.covered && `, ${formatCount(block.delegated)} delegations in all`}
                  {block.signed > 0 && `, ${formatCount(block.signed)} signed`}
                </span>
                <span className="quiet mono">n.{block.ending}</span>
              </div>
              <ul className={classNames(styles.cells, block.cells.length > FEW && styles.small)}>
                {block.cells.filter(isShown).map(cell => (
                  <ZoneCell key={cell.zone} kind={block.kind} name={cell.label} cell={cell} />
                ))}
              </ul>
            </section>
          ))}
        {single.length > 0 && (
          <section aria-labelledby="single-zones">
            <div className={styles.head}>
              <span className="quiet" id="single-zones">
                Prefixes of one zone
              </span>
            </div>
            <ul className={classNames(styles.cells, styles.single)}>
              {single.flatMap(({ prefix, kind, cells }) =>
                cells.map(cell => <ZoneCell key={cell.zone} kind={kind} name={prefix} cell={cell} />),
              )}
            </ul>
          </section>
        )}
      </div>
      <div className={styles.legend}>
        {[...counts].map(([state, count]) => (
          <span key={state} title={stateWords[state].help}>
            <i className={classNames(styles.cell, styles[state], styles.ipv4)} aria-hidden="true" /> {stateWords[state].word}{' '}
            <b>{formatCount(count)}</b>
          </span>
        ))}
        <span>
          <Icon name="lock" /> Signed
        </span>
      </div>
    </>
  );
}

/** One zone: its name, whether it is signed, and its state. The link leads to the zone, or to the form that delegates it. */
function ZoneCell({ kind, name, cell: { zone, state, dnssec } }: { kind: ZoneBlock['kind']; name: string; cell: Cell }) {
  const { word, icon } = stateWords[state];
  const signed = dnssec !== 'none';
  const isThere = state !== 'missing' && state !== 'covered' && state !== 'partly';
  return (
    <li>
      <Link
        href={isThere ? hrefOfZone(zone) : hrefOfAdding(kind, zone)}
        className={classNames(styles.cell, styles[state], styles[kind], (dnssec === 'ends-soon' || dnssec === 'broken') && styles.soon)}
        title={`${zone}: ${word}${signed ? `, ${dnssecWords[dnssec].word.toLowerCase()}` : ''}`}
      >
        <span className={styles.name}>
          <span>{name}</span>
          {state === 'lame' || state === 'warning' ? <Icon name={icon!} /> : signed && <Icon name="lock" />}
        </span>
        <span className={styles.word}>{state === 'missing' ? 'No zone' : signed && state === 'ok' ? dnssecWords[dnssec].word : word}</span>
        <span className="vh">
          , {zone}
          {signed && state !== 'ok' && `, ${dnssecWords[dnssec].word.toLowerCase()}`}
        </span>
      </Link>
    </li>
  );
}
