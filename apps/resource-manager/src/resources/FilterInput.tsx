import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import { Icon, SearchInput } from '@portal/ui';
import { useFilterWords } from '@portal/ui/table/FilterSearch';
import { useId } from 'react';
import styles from './FilterInput.module.css';
import { readFilter } from './filter-text.ts';

const words = { ipv4: 'IPv4 prefix, range or address', ipv6: 'IPv6 prefix or address', asn: 'AS number' } as const;

/**
 * Narrows a list of number resources while the person types. Pasted prefixes, ranges and addresses are tidied first; one that is nearly right is
 * explained instead of searched for, with a button for the probable meaning.
 */
export function FilterInput({
  kind,
  label,
  value,
  onChange,
}: {
  kind: ResourceKind;
  label: string;
  value: string;
  onChange: (q: string) => void;
}) {
  const id = useId();
  const [text, type] = useFilterWords(value, onChange, typed => readFilter(typed, kind).q);
  const reading = readFilter(text, kind);
  return (
    <div className={styles.filter}>
      <SearchInput
        label={label}
        placeholder={words[kind]}
        value={text}
        onChange={type}
        aria-invalid={reading.problem ? true : undefined}
        aria-describedby={reading.problem ? id : undefined}
        spellCheck={false}
        autoComplete="off"
        className={styles.input}
      />
      {reading.problem && (
        <output className={styles.problem} id={id}>
          <Icon name="invalid" />
          <span>
            {reading.problem}.{' '}
            {reading.suggestion && (
              <button type="button" onClick={() => type(reading.suggestion ?? '', 'immediately')}>
                Did you mean <span className="mono nw">{reading.suggestion}</span>?
              </button>
            )}
          </span>
        </output>
      )}
    </div>
  );
}
