import { classNames } from '@portal/ui';
import styles from './DelegationPath.module.css';
import type { Path } from './delegation-path.ts';

/** Names up to this length aren’t broken. */
const SHORT = 22;
/** Longer names get more of the line. */
const widthOf = (name: string): { flexGrow: number } => ({ flexGrow: Math.min(SHORT, Math.max(9, name.length + 1)) });
const states = { good: undefined, fault: styles.fault, unknown: styles.unknown };

/** Draws the way of a resolver from the root to the name servers of a zone, drawn as lists, with the step that fails. */
export function DelegationPath({ path: { zone, nodes, servers, words } }: { path: Path }) {
  return (
    <>
      <div className={styles.path}>
        <ol className={styles.chain} aria-label="Path from the root">
          {nodes.map(({ zone: name, note, trust, link }) => (
            <li key={name} className={styles.node} data-link={link} style={widthOf(name)}>
              {link === 'broken' && (
                <span className={styles.cross} aria-hidden="true">
                  ✕
                </span>
              )}
              <b className={name.length <= SHORT ? styles.short : undefined}>{name}</b>
              {note && <span>{note}</span>}
              {trust && <span className={styles.signed}>{trust}</span>}
              {link === 'broken' && <span className={styles.fault}>breaks here</span>}
            </li>
          ))}
          <li className={classNames(styles.node, styles.own)} data-link={servers.length === 0 ? 'none' : 'plain'} style={widthOf(zone)}>
            <b className={zone.length <= SHORT ? styles.short : undefined}>{zone}</b>
            <span>this zone</span>
          </li>
        </ol>
        {servers.length > 0 && (
          <ul className={styles.servers} aria-label="Name servers">
            {servers.map(({ id, server, address, state, said, note }) => (
              <li key={id} className={styles.card} data-state={state}>
                {state === 'fault' && (
                  <span className={styles.mark} aria-hidden="true">
                    ✕
                  </span>
                )}
                <span className={styles.head}>
                  <b>{server}</b>
                  {address && <span>{address}</span>}
                </span>
                <strong className={states[state]}>{said}</strong>
                {note && <small>{note}</small>}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={styles.legend}>
        <p>{words}</p>
        <span aria-hidden="true">
          <i data-link="signed" />
          signed
        </span>
        <span aria-hidden="true">
          <i />
          delegated, not signed
        </span>
        <span aria-hidden="true">
          <i data-link="broken" />
          no usable answer
        </span>
      </div>
    </>
  );
}
