import type { ZoneBlock } from '@portal/contract/reverse-dns/reverse-dns';
import { classNames, formatCount, Icon, Link, ResourceName } from '@portal/ui';
import styles from './ZoneGrid.module.css';
import { dnssecWords, hrefOfAdding, hrefOfZone, stateWords } from './zone-words.ts';

/** Above this number, cells are drawn without text. */
const FEW = 64;

/** The zones of each held prefix, one cell per zone, coloured by state. The table of the same page has them as text. */
export function ZoneGrid({ blocks, only }: { blocks: readonly ZoneBlock[]; only: string | null }) {
  const states = [...new Set(blocks.flatMap(({ cells }) => cells.map(({ state }) => state)))];
  return (
    <>
      <div className={styles.blocks}>
        {blocks.map(block => (
          <section key={block.prefix} aria-label={`Zones of ${block.prefix}`}>
            <div className={styles.head}>
              <ResourceName kind={block.kind} text={block.prefix} strong />
              <span className="quiet">
                {formatCount(block.covered)} of {formatCount(block.needed)} {block.needed === 1 ? 'zone' : 'zones'} delegated
                {block.delegated > block.covered && `, ${formatCount(block.delegated)} delegations in all`}
                {block.signed > 0 && `, ${formatCount(block.signed)} signed`}
              </span>
              {block.cells.length > 1 && <span className="quiet mono">….{block.ending}</span>}
            </div>
            <ul className={classNames(styles.cells, block.cells.length > FEW && styles.small, block.cells.length === 1 && styles.single)}>
              {block.cells
                .filter(({ state, dnssec }) => only === null || state === only || dnssec === only)
                .map(({ zone, label, state, dnssec }) => {
                  const { word, icon } = stateWords[state];
                  const signed = dnssec !== 'none';
                  const isThere = state !== 'missing' && state !== 'covered' && state !== 'partly';
                  return (
                    <li key={zone}>
                      <Link
                        href={isThere ? hrefOfZone(zone) : hrefOfAdding(block.kind, zone)}
                        className={classNames(
                          styles.cell,
                          styles[state],
                          styles[block.kind],
                          (dnssec === 'ends-soon' || dnssec === 'broken') && styles.soon,
                        )}
                        title={`${zone}: ${word}${signed ? `, ${dnssecWords[dnssec].word.toLowerCase()}` : ''}`}
                      >
                        <span className={styles.name}>
                          <span>{block.cells.length === 1 ? zone : label}</span>
                          {state === 'lame' || state === 'warning' ? <Icon name={icon!} /> : signed && <Icon name="lock" />}
                        </span>
                        <span className={styles.word}>
                          {state === 'missing' ? 'No zone' : signed && state === 'ok' ? dnssecWords[dnssec].word : word}
                        </span>
                        <span className="vh">
                          , {zone}
                          {signed && state !== 'ok' && `, ${dnssecWords[dnssec].word.toLowerCase()}`}
                        </span>
                      </Link>
                    </li>
                  );
                })}
            </ul>
          </section>
        ))}
      </div>
      <div className={styles.legend}>
        {states.map(state => (
          <span key={state} title={stateWords[state].help}>
            <i className={classNames(styles.cell, styles[state], styles.ipv4)} aria-hidden="true" /> {stateWords[state].word}
          </span>
        ))}
        <span>
          <Icon name="lock" /> Signed
        </span>
      </div>
    </>
  );
}
