import { KeyValueList } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { Key } from './Key.tsx';

/** Keys of the page of a case, with their effect. */
const keys: readonly [string, string][] = [
  ['j', 'Next case of the queue'],
  ['k', 'Previous case of the queue'],
  ['u', 'Back to the queue'],
  ['o', 'Open the account'],
  ['m', 'See it as the member does'],
  ['a', 'Approve, or approve as the second person'],
  ['r', 'Reject'],
  ['q', 'Ask a question'],
  ['t', 'Take it, or take it over'],
  ['h', 'Hand it over'],
  ['c', 'Write to the member'],
  ['n', 'Write an internal note'],
  ['w', 'Watch it, or stop'],
  ['d', 'Be reminded on a day'],
  ['l', 'Link another case'],
  ['?', 'Show these keys'],
];

/** All keys of the page of a case. */
export function CaseKeys({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      <KeyValueList align="left" items={keys.map(([key, effect]) => ({ key: <Key name={key} />, value: effect, id: key }))} />
      <p className="small quiet">In a form, Ctrl and Enter sends it, and Escape closes it.</p>
    </Dialog>
  );
}
