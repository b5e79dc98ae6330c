import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import { Icon, SearchInput } from '@portal/ui';
import { useId, useRef, useState } from 'react';
import styles from './FilterInput.module.css';
import { readFilter } from './filter-text.ts';

const words = { ipv4: 'IPv4 prefix, range or address', ipv6: 'IPv6 prefix or address', asn: 'AS number' } as const;
/** Long enough for the next key to follow, short enough to feel immediate. */
const pauseMs = 200;

/**
 * Narrows a list of number resources while the person types. Pasted prefixes, ranges and addresses are tidied first; one that is
 * nearly right is not searched for, but explained, with what was probably meant one press away.
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
  // What is being typed counts until the filter changes from elsewhere (a link, the way back).
  const [typed, setTyped] = useState({ text: value, above: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = typed.above === value ? typed.text : value;
  const reading = readFilter(text, kind);

  const ask = (next: string, at: 'once' | 'soon') => {
    clearTimeout(timer.current);
    setTyped({ text: next, above: value });
    const { q } = readFilter(next, kind);
    if (q === null || q === value) return;
    const commit = () => {
      setTyped({ text: next, above: q });
      onChange(q);
    };
    if (at === 'once') commit();
    else timer.current = setTimeout(commit, pauseMs);
  };

  return (
    <div className={styles.filter}>
      <SearchInput
        label={label}
        placeholder={words[kind]}
        value={text}
        onChange={next => ask(next, next === '' ? 'once' : 'soon')}
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
              <button type="button" onClick={() => ask(reading.suggestion ?? '', 'once')}>
                Did you mean <span className="mono nw">{reading.suggestion}</span>?
              </button>
            )}
          </span>
        </output>
      )}
    </div>
  );
}
