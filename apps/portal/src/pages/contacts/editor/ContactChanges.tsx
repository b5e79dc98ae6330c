import { type Permission, permissions } from '@portal/contract';
import { BeforeAfter } from '@portal/ui/difference/BeforeAfter';
import { Icon } from '@portal/ui';
import styles from './ContactChanges.module.css';
import type { ContactDiff } from '../contact-form.ts';
import { countWords, listWords, typeWords } from '../contact-words.ts';

/** The changes that saving makes, line by line: before and after, gained and lost. */
export function ContactChanges({ diff }: { diff: Omit<ContactDiff, 'count'> }) {
  return (
    <div className={styles.changes}>
      {diff.details.map(({ label, before, after }) => (
        <BeforeAfter key={label} label={label} before={before} after={after} />
      ))}
      {diff.contactTypes && (
        <BeforeAfter
          label="Contact types"
          before={listWords(diff.contactTypes.before.map(type => typeWords[type]))}
          after={diff.contactTypes.after.length > 0 ? listWords(diff.contactTypes.after.map(type => typeWords[type])) : 'none yet'}
        />
      )}
      <Lines kind="gain" items={[...labels(diff.granted), ...diff.maintainers.granted.map(useOf)]} />
      <Lines kind="loss" items={[...labels(diff.withdrawn), ...diff.maintainers.withdrawn.map(useOf)]} />
    </div>
  );
}

const labels = (keys: readonly Permission[]): string[] => keys.map(key => permissions[key].label);
const useOf = (maintainer: string): string => `Use ${maintainer}`;

function Lines({ kind, items }: { kind: 'gain' | 'loss'; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <h3>
        {kind === 'gain' ? 'Gains' : 'Loses'} {countWords(items.length, 'permission', 'permissions')}
      </h3>
      <ul className={kind === 'gain' ? styles.gain : styles.loss}>
        {items.map(item => (
          <li key={item}>
            <Icon name={kind === 'gain' ? 'plus' : 'minus'} />
            {item}
          </li>
        ))}
      </ul>
    </div>
  );
}
