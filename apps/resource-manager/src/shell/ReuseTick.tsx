import { Checkbox } from '@portal/ui';

/** Tick with which a person uses a block again although it still rests after its last use. */
export function ReuseTick({ checked, onChange }: { checked: boolean; onChange: (reuse: boolean) => void }) {
  return (
    <Checkbox
      checked={checked}
      help="Mail systems, abuse lists and DNS may still associate it with its previous user."
      onChange={({ target }) => onChange(target.checked)}
    >
      Use it again now
    </Checkbox>
  );
}
