import type { ResourceRecord } from '@portal/contract/records/records';
import { Button, DateText, Link, Sheet } from '@portal/ui';
import rowStyles from '../RowList.module.css';

const SHOWN = 5;

/** The last changes of the numbers; the whole history is at the end of the page. */
export function RecentChanges({ record: { history } }: { record: ResourceRecord }) {
  return (
    <Sheet
      title="Recent changes"
      flush
      actions={
        history.length > SHOWN && (
          <Button size="s" variant="quiet" onClick={() => document.getElementById('history')?.scrollIntoView({ block: 'start' })}>
            History
          </Button>
        )
      }
    >
      {history.length === 0 ? (
        <p className="small quiet" style={{ padding: '4px 16px 12px' }}>
          No changes since records began.
        </p>
      ) : (
        <ol className={rowStyles.list} aria-label="Recent changes">
          {history.slice(0, SHOWN).map(({ at, what, by, link }) => (
            <li key={at + what}>
              <span className={rowStyles.words}>{link ? <Link href={link}>{what}</Link> : what}</span>
              <span className="small quiet">
                <DateText value={at} />, {by}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  );
}
