import type { Contact } from '@portal/contract/contacts/contacts';
import { Button, Panel } from '@portal/ui';
import { diffBetween, diffOf } from '../contact-form.ts';
import { ContactChanges } from './ContactChanges.tsx';
import styles from '../Contact.module.css';
import type { Unsaved } from './contact-editing.ts';

/** A concurrent change: the other person's changes beside those about to be saved. */
export function StaleContact({ before, form, now, onApply, onDrop }: Unsaved & { now: Contact; onApply: () => void; onDrop: () => void }) {
  const theirs = diffBetween(before, now);
  return (
    <Panel
      title="Changed by someone else"
      sub={`Someone else changed ${now.fullName} while you were editing.`}
      pending
      footer={
        <>
          <Button variant="primary" onClick={onApply}>
            Apply my changes
          </Button>
          <Button variant="quiet" onClick={onDrop}>
            Discard my changes
          </Button>
        </>
      }
    >
      <div role="alert" className={styles.versions}>
        <h3>Their changes (saved)</h3>
        {theirs.count > 0 ? <ContactChanges diff={theirs} /> : <p className="small muted">No visible changes.</p>}
        <h3>Your changes (not saved)</h3>
        <ContactChanges diff={diffOf(before, form)} />
      </div>
    </Panel>
  );
}
