import { spacedKey } from '@portal/contract/whois/spaced-key';
import { classNames, Icon, Link } from '@portal/ui';
import { hrefOfObject } from './object-address.ts';
import type { Finding } from './object-text.ts';
import styles from './ProblemList.module.css';

const marks = {
  error: { icon: 'invalid', word: 'Has errors' },
  warning: { icon: 'warning', word: 'Warning' },
  info: { icon: 'info', word: 'Note' },
} as const;

/** All findings of an object, errors first, each with its line; a click on the line goes there. */
export function ProblemList({
  findings,
  onLine,
  label = 'Problems',
}: {
  findings: readonly Finding[];
  onLine?: (line: number) => void;
  label?: string;
}) {
  if (findings.length === 0) return null;
  const weight = { error: 0, warning: 1, info: 2 };
  const sorted = findings.toSorted((a, b) => weight[a.severity] - weight[b.severity] || (a.line ?? 0) - (b.line ?? 0));
  return (
    <ul className={styles.list} aria-label={label}>
      {sorted.map(({ severity, code, attribute, line, message, objects, count = 0 }) => (
        <li key={`${code} ${line} ${attribute} ${message}`} className={classNames(styles.problem, styles[severity])}>
          <Icon name={marks[severity].icon} label={marks[severity].word} />
          <span>
            {line !== null &&
              (onLine ? (
                <button type="button" className={styles.line} onClick={() => onLine(line)}>
                  Line {line}
                </button>
              ) : (
                <span className="quiet">Line {line} </span>
              ))}
            {attribute !== null && <span className="mono">{attribute}: </span>}
            {message}
            {objects && objects.length > 0 && (
              <span className={styles.objects}>
                {objects.map(({ class: name, key, shown }) => (
                  <Link key={`${name} ${key}`} href={hrefOfObject(name, key)}>
                    {name} {spacedKey(shown)}
                  </Link>
                ))}
                {count > objects.length && <span>and {count - objects.length} more</span>}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
