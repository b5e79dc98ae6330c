import { useAccount, useAnswer, useSteadyAnswer } from '@portal/app-kit';
import { whois, type WhoisClass } from '@portal/contract/whois/whois';
import { Checkbox, Field, formatCount, SearchInput, Select, SkeletonLines, Stack } from '@portal/ui';
import { Suspense, useState } from 'react';
import styles from './IrtPage.module.css';

/** Which resources name the irt; `keys` are class and key with a blank between. */
export type Target = { to: 'without' | 'all' | 'chosen' | 'none'; keys: ReadonlySet<string> };

const words: readonly Target['to'][] = ['without', 'all', 'chosen', 'none'];

/** Asks which resources reference an irt: those without one of their own, all, some, or none for now. */
export function IrtTarget({
  target,
  onChange,
  field,
  mayBeNone = false,
}: {
  target: Target;
  onChange: (target: Target) => void;
  /** Id and problem in the form. */
  field: { id: string; error: string | undefined };
  mayBeNone?: boolean;
}) {
  const { accountName: account } = useAccount();
  const { withoutTotal } = useAnswer(whois.listIrts, { account });
  return (
    <>
      <Field label="Apply to" help="Replaces the current IRT of these resources. Customer assignments don’t change." {...field}>
        <Select
          value={target.to}
          onChange={event => onChange({ ...target, to: words.find(word => word === event.target.value) ?? 'without' })}
          options={[
            { value: 'without', label: `Resources without their own IRT (${formatCount(withoutTotal)})` },
            { value: 'all', label: 'All resources of the account' },
            { value: 'chosen', label: 'Resources I choose' },
            ...(mayBeNone ? [{ value: 'none', label: 'None' }] : []),
          ]}
        />
      </Field>
      {target.to === 'chosen' && (
        <Suspense fallback={<SkeletonLines lines={4} label="Loading resources" />}>
          <Choices target={target} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}

const most = 200;

function useStoredObjects(objectClass: WhoisClass, q: string) {
  const { accountName: account } = useAccount();
  const { answer } = useSteadyAnswer(whois.listObjects, { account, query: { class: objectClass, q, limit: most } });
  return { rows: answer.rows.filter(({ kept }) => kept), isMore: answer.total > answer.rows.length };
}

function Choices({ target, onChange }: { target: Target; onChange: (target: Target) => void }) {
  const [q, setQ] = useState('');
  const found = [useStoredObjects('inetnum', q), useStoredObjects('inet6num', q), useStoredObjects('aut-num', q)];
  const rows = found.flatMap(each => each.rows);
  const toggle = (id: string) => {
    const keys = new Set(target.keys);
    if (!keys.delete(id)) keys.add(id);
    onChange({ ...target, keys });
  };
  return (
    <Stack gap={8}>
      <SearchInput label="Find resources" placeholder="Prefix, AS number or part of the text" value={q} maxLength={100} onChange={setQ} />
      <div className={styles.choices}>
        {rows.map(({ class: name, key, shown }) => (
          <Checkbox key={`${name} ${key}`} checked={target.keys.has(`${name} ${key}`)} onChange={() => toggle(`${name} ${key}`)}>
            <span className="mono">{shown}</span>
          </Checkbox>
        ))}
        {rows.length === 0 && <p className="small quiet">No resource matches.</p>}
      </div>
      <p className="small quiet">
        {formatCount(target.keys.size)} chosen
        {found.some(({ isMore }) => isMore) && `; the first ${most} of each type are listed, search for others`}
      </p>
    </Stack>
  );
}
