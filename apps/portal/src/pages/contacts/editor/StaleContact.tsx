import type { Contact } from '@portal/contract/contacts/contacts';
import { Button, Panel } from '@portal/ui';
import { diffBetween, diffOf } from '../contact-form.ts';
import { ContactChanges } from './ContactChanges.tsx';
import styles from '../contact/ContactPage.module.css';
import type { Unsaved } from './contact-editing.ts';

/** A concurrent change: the other person's changes beside those about to be saved. */
export function StaleContact({ before, form, now, onApply, onDrop }: Unsaved & { now: Contact; onApply: () => void; onDrop: () => void }) {
  const theirs = diffBetween(before, now);
  return (
    <Panel
      title="Changed meanwhile"
      sub={`${now.fullName} was changed by somebody else while you were at it.`}
      pending
      footer={
        <>
          <Button variant="primary" onClick={onApply}>
            Apply mine to it
          </Button>
          <Button variant="quiet" onClick={onDrop}>
            Drop mine
          </Button>
        </>
      }
    >
      <div role="alert" className={styles.versions}>
        <h3>Theirs, saved</h3>
        {theirs.count > 0 ? <ContactChanges diff={theirs} /> : <p className="small muted">Nothing that you see here.</p>}
        <h3>Yours, not saved</h3>
        <ContactChanges diff={diffOf(before, form)} />
      </div>
    </Panel>
  );
}
