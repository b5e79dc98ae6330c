import { useAddress } from '@portal/app-kit';
import { Select } from '@portal/ui';

/** Shows the keys of one creator only, as the address says (`?by=NAME`). */
export function CreatorFilter({ creators, by }: { creators: readonly string[]; by: string | undefined }) {
  const address = useAddress();
  return (
    <Select
      size="s"
      aria-label="Creator"
      value={by ?? ''}
      options={[{ value: '', label: 'Any creator' }, ...creators.map(name => ({ value: name, label: name }))]}
      onChange={event => address.set({ by: event.target.value || null, key: null })}
    />
  );
}
