import type { RecordSection } from '@portal/contract/records/records';
import { classNames, DatedText, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';

/** A section of another part of the registry. */
export function ContributedSection({ section }: { section: RecordSection }) {
  const { title, link } = section;
  return (
    <Sheet
      title={title}
      flush
      actions={
        link && (
          <LinkButton size="s" href={link.link}>
            {link.label}
          </LinkButton>
        )
      }
    >
      <ContributedRows section={section} />
    </Sheet>
  );
}

/** The rows of a section as a list. */
export function ContributedRows({ section: { title, rows, more } }: { section: RecordSection }) {
  return (
    <ul className={classNames(rowStyles.list, styles.more)} aria-label={title}>
      {rows.map(row => (
        <li key={`${row.label} ${row.text}`}>
          <span className="quiet">{row.label}</span>
          <span className={rowStyles.words}>
            {row.link ? (
              <Link href={row.link}>
                <DatedText text={row.text} />
              </Link>
            ) : (
              <DatedText text={row.text} />
            )}
          </span>
          {row.state && <StateMark state={row.state.mark}>{row.state.word}</StateMark>}
          {row.actions.map(action => (
            <Link key={action.label} href={action.link}>
              {action.label}
            </Link>
          ))}
        </li>
      ))}
      {more && <li className="quiet">and more</li>}
    </ul>
  );
}
