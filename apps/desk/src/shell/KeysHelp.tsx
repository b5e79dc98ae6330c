import { KeyValueList } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { keysNow } from './cases/desk-keys.ts';
import { Key } from './cases/Key.tsx';

/** Keys of the desk in the order of their use, with their effect on the page of a case. */
const keys: readonly [string, string][] = [
  ['j', 'Next case of the queue'],
  ['k', 'Previous case of the queue'],
  ['f', 'Free case that waits longest'],
  ['u', 'Back to the queue'],
  ['i', 'Tickets that wait for the registry'],
  ['e', 'Changes that wait for a second person'],
  ['o', 'Open the account'],
  ['m', 'See it as the member does'],
  ['a', 'Approve, or approve as the second person'],
  ['r', 'Reject'],
  ['x', 'Close without an answer'],
  ['q', 'Ask a question'],
  ['t', 'Take it, or take it over'],
  ['h', 'Hand it over'],
  ['s', 'Move it to another queue'],
  ['c', 'Write to the member'],
  ['n', 'Write an internal note'],
  ['w', 'Watch it, or stop'],
  ['d', 'Be reminded on a day'],
  ['l', 'Link another case'],
];

/** The keys that can be pressed on the page now, with their effect. */
export function KeysHelp({ open, onClose, find }: { open: boolean; onClose: () => void; find: string }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      <KeyList find={find} />
    </Dialog>
  );
}

function KeyList({ find }: { find: string }) {
  const now = keysNow();
  const items = [
    ...keys.filter(([key]) => now.has(key)).map(([key, words]) => [key, now.get(key) ?? words] as const),
    ['?', 'Show these keys'] as const,
  ];
  return (
    <>
      <KeyValueList
        align="left"
        items={[
          ...items.map(([key, effect]) => ({ key: <Key name={key} isRead />, value: effect, id: key })),
          {
            key: (
              <>
                <Key name={find} isRead /> or <Key name="/" isRead />
              </>
            ),
            value: 'Find a page, account, prefix, request or invoice',
            id: 'find',
          },
        ]}
      />
      <p className="small quiet">
        In a form, Ctrl and Enter sends it, and Ctrl and . leads to its reply templates. Escape closes it, or leaves the field with what is
        in it.
      </p>
    </>
  );
}
