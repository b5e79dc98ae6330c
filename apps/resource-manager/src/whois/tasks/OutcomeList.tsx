import { whoisClasses } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Badge, Button, classNames, Icon, Link, Stack } from '@portal/ui';
import { useId, useState } from 'react';
import { countChanges, Difference } from '../text/Difference.tsx';
import { hrefOfObject } from '../text/object-address.ts';
import { ObjectText } from '../text/ObjectText.tsx';
import styles from './OutcomeList.module.css';
import { ProblemList } from '../text/ProblemList.tsx';
import { markOf, type Outcome } from './outcome-words.ts';
import { PublicationReceipt } from '../../shell/PublicationReceipt.tsx';
import { wasRefused } from '@portal/contract/tasks/tasks';

function briefOf({ state, before, after, problems, done: what }: Outcome): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first) return errors.length === 1 ? first.message : `${first.message}; and ${errors.length - 1} more`;
  if (state === 'skipped') return 'Valid, but blocked by other objects';
  if (state === 'ok' && what === 'modify' && before !== null && after !== null) {
    const lines = countChanges(before, after);
    return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
  }
  const [warning] = problems;
  return warning ? warning.message : '';
}

/** `AUTO-1`, for which a handle was assigned; null if the text has its own. */
const placeholderOf = ({ text, state }: Outcome): string | null =>
  state === 'ok' ? (/^(?:nic-hdl|organisation):[ \t]*(auto-\d+[a-z]*)/im.exec(text)?.[1] ?? null) : null;
const isSame = (outcome: Outcome, shown: string): boolean => placeholderOf(outcome)?.toLowerCase() === shown.toLowerCase();

/** One line per object with its outcome; expanded, all findings and both texts. */
export function OutcomeList({
  outcomes,
  isDryRun,
  label,
  onLine,
}: {
  outcomes: readonly Outcome[];
  isDryRun: boolean;
  label: string;
  /** Goes to a line of the whole text. */
  onLine?: ((line: number) => void) | undefined;
}) {
  return (
    <ul className={styles.list} aria-label={label}>
      {outcomes.map(outcome => (
        <OutcomeRow key={outcome.id} outcome={outcome} isDryRun={isDryRun} onLine={onLine} />
      ))}
    </ul>
  );
}

function OutcomeRow({ outcome, isDryRun, onLine }: { outcome: Outcome; isDryRun: boolean; onLine?: ((line: number) => void) | undefined }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { word, kind, icon } = markOf(outcome, isDryRun);
  const { class: name, shown, line } = outcome;
  const handle = isSame(outcome, shown) ? null : placeholderOf(outcome);
  return (
    <li className={styles.item}>
      <button type="button" className={styles.head} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className={classNames(styles.turn, open && styles.open)}>
          <Icon name="chevron-right" />
        </span>
        <span className={styles.mark}>
          <Badge kind={kind} icon={icon}>
            {word}
          </Badge>
        </span>
        <span className={styles.name}>
          <span className={classNames(styles.class, 'mono quiet')}>{name === '' ? 'no object' : name}</span>
          {handle !== null && <span className="mono quiet nw">{handle} → </span>}
          <span className="mono strong">{spacedKey(shown)}</span>
          {line !== null && <span className="small quiet nw"> line {line}</span>}
        </span>
        <span className={styles.brief}>{briefOf(outcome)}</span>
      </button>
      {open && (
        <div id={id} className={styles.more}>
          <Opened outcome={outcome} isDryRun={isDryRun} onLine={onLine} />
        </div>
      )}
    </li>
  );
}

function Opened({ outcome, isDryRun, onLine }: { outcome: Outcome; isDryRun: boolean; onLine?: ((line: number) => void) | undefined }) {
  const { state, class: name, shown, key, before, after, afterVersion, text, problems, line, done: what } = outcome;
  const [isAsked, setAsked] = useState(false);
  const objectClass = whoisClasses.find(each => each === name);
  const isStored = !isDryRun && state === 'ok' && afterVersion !== null && objectClass !== undefined;
  const isThere = key !== '' && (isDryRun ? before !== null : state === 'unchanged' || (state === 'ok' && what !== 'delete'));
  const isRefused = wasRefused({ state }) || state === 'pending';
  const go = onLine && line !== null ? (at: number) => onLine(line + at - 1) : undefined;
  return (
    <Stack gap={8}>
      <ProblemList findings={problems} {...(go && { onLine: go })} />
      {isRefused ? (
        <div className={styles.paper}>
          <ObjectText text={text.trimEnd()} label={`Text of ${name} ${spacedKey(shown)} as sent`} findings={problems} />
        </div>
      ) : state === 'unchanged' ? (
        <p className="small muted">Stored as sent.</p>
      ) : before !== null || after !== null ? (
        <div className={styles.paper}>
          <Difference before={before} after={after} label={`Difference of ${name} ${spacedKey(shown)}`} />
        </div>
      ) : (
        <p className="small muted">The texts are no longer kept.</p>
      )}
      {isStored &&
        (isAsked ? (
          <PublicationReceipt objectClass={objectClass} objectKey={key} version={afterVersion} />
        ) : (
          <div>
            <Button size="s" onClick={() => setAsked(true)}>
              Publication
            </Button>
          </div>
        ))}
      {isThere && (
        <p className="small">
          <Link href={hrefOfObject(name, key)}>
            Open {name} {spacedKey(shown)}
          </Link>
        </p>
      )}
    </Stack>
  );
}
