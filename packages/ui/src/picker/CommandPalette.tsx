import { type KeyboardEvent, type ReactNode, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { Icon, type IconName } from '../text/Icon.tsx';
import { KindMark, type ResourceKind } from '../text/ResourceName.tsx';
import styles from './CommandPalette.module.css';

export type PaletteItem = {
  id: string;
  /** Searched and shown. */
  text: string;
  note?: string;
  /** A prefix or AS number is shown in mono with its mark. */
  kind?: ResourceKind;
  icon?: IconName;
  mono?: boolean;
  href?: string;
  /** Other words it is found by. */
  words?: string;
};

export type PaletteGroup = { label: string; items: readonly PaletteItem[] };

export type CommandPaletteProps = {
  open: boolean;
  onClose: () => void;
  /** Pages and actions, known in advance and filtered here. */
  groups: readonly PaletteGroup[];
  /** Results of the search for the typed words: shown as they come, not filtered again. */
  found?: readonly PaletteGroup[];
  /** Shown while nothing is typed. */
  recent?: readonly PaletteItem[];
  /** Likely choices here and now; shown while nothing is typed. */
  likely?: readonly PaletteItem[];
  /** The typed text, for the search. */
  onSearch?: (words: string) => void;
  loading?: boolean;
  onPick: (item: PaletteItem, how: { newTab: boolean }) => void;
  label?: string;
  placeholder?: string;
};

/** Returns whether an item contains each typed word, regardless of case. */
export function matches(item: PaletteItem, typed: string): boolean {
  const text = `${item.text} ${item.words ?? ''} ${item.note ?? ''}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

/**
 * The groups to show for what is typed. While nothing is: recent and likely things, and all pages when there are neither. Else what matches by name,
 * what was found, and last what is named differently but has the words. Empty groups are left out.
 */
export function paletteGroups({
  typed,
  groups,
  found = [],
  recent = [],
  likely = [],
}: {
  typed: string;
  groups: readonly PaletteGroup[];
  found?: readonly PaletteGroup[];
  recent?: readonly PaletteItem[];
  likely?: readonly PaletteItem[];
}): PaletteGroup[] {
  const words = typed.trim();
  const all =
    words === ''
      ? [{ label: 'Recent', items: recent }, { label: 'Likely', items: likely }, ...groups]
      : arranged(
          words,
          found,
          groups.map(group => ({ label: group.label, items: group.items.filter(item => matches(item, words)) })),
        );
  const seen = new Set<string>();
  return all
    .map(group => ({ label: group.label, items: group.items.filter(item => !seen.has(item.id) && Boolean(seen.add(item.id))) }))
    .filter(group => group.items.length > 0);
}

/** Groups with an item that begins with the words come before what the search found, all others after it. */
function arranged(words: string, found: readonly PaletteGroup[], matching: readonly PaletteGroup[]): PaletteGroup[] {
  const begins = (item: PaletteItem): boolean => item.text.toLowerCase().startsWith(words.toLowerCase());
  const first = matching.filter(({ label, items }) => label !== 'Coming soon' && items.some(begins));
  return [
    ...first.map(({ label, items }) => ({ label, items: items.toSorted((a, b) => Number(begins(b)) - Number(begins(a))) })),
    ...found,
    ...matching.filter(group => !first.includes(group)),
  ];
}

/** The text with what was typed marked. */
function Marked({ text, typed }: { text: string; typed: string }): ReactNode {
  const at = typed === '' ? -1 : text.toLowerCase().indexOf(typed.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + typed.length)}</mark>
      {text.slice(at + typed.length)}
    </>
  );
}

/** Goes anywhere: pages, prefixes, AS numbers, objects, contacts, tickets, invoices, actions. */
export function CommandPalette({ open, onClose, ...rest }: CommandPaletteProps) {
  return (
    <ModalOverlay className={styles.scrim ?? ''} isOpen={open} onOpenChange={isOpen => !isOpen && onClose()} isDismissable>
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.palette ?? ''} aria-label={rest.label ?? 'Find anything'}>
          <Search onClose={onClose} {...rest} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Search({
  onClose,
  groups,
  found,
  recent,
  likely,
  onSearch,
  loading,
  onPick,
  label = 'Find anything',
  placeholder = 'Find a prefix, AS number, object, invoice',
}: Omit<CommandPaletteProps, 'open'>) {
  const [typed, setTyped] = useState('');
  const [newTab, setNewTab] = useState(false);
  const words = typed.trim();
  const shown = paletteGroups({ typed, groups, ...(found && { found }), ...(recent && { recent }), ...(likely && { likely }) });
  const items = new Map(shown.flatMap(group => group.items.map(item => [item.id, item])));
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter') setNewTab(event.ctrlKey || event.metaKey);
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
  };
  const pick = (key: string) => {
    const item = items.get(key);
    if (!item) return;
    onClose();
    onPick(item, { newTab });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- reads the modifier keys before the list acts
    <div onKeyDownCapture={keys} onPointerDownCapture={event => setNewTab(event.ctrlKey || event.metaKey)}>
      <Autocomplete
        inputValue={typed}
        onInputChange={text => {
          setTyped(text);
          onSearch?.(text.trim());
        }}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a press: the focus belongs here */}
        <SearchField className={styles.field ?? ''} aria-label={label} autoFocus>
          <Icon name="search" />
          <Input
            placeholder={placeholder}
            spellCheck={false}
            autoComplete="off"
            className={words === '' ? (styles.input ?? '') : `${styles.input} ${styles.typed}`}
          />
          {loading && <span className={styles.spin} />}
          <kbd>Esc</kbd>
        </SearchField>
        <ListBox
          className={styles.list ?? ''}
          aria-label="Results"
          selectionMode="none"
          onAction={key => pick(String(key))}
          renderEmptyState={() => (
            <p className={styles.none}>{loading ? 'Searching' : `No results for “${words}”. Try a prefix, AS number, handle or name.`}</p>
          )}
        >
          {shown.map(group => (
            <ListBoxSection key={group.label} id={group.label}>
              <Header className={styles.label}>{group.label}</Header>
              {group.items.map(item => (
                <ListBoxItem key={item.id} id={item.id} textValue={item.text} className={styles.item ?? ''}>
                  {item.kind ? <KindMark kind={item.kind} /> : <Icon name={item.icon ?? 'arrow-right'} />}
                  <span className={item.kind || item.mono ? `mono ${styles.text}` : styles.text}>
                    <Marked text={item.text} typed={words} />
                  </span>
                  {item.note && <span className={styles.note}>{item.note}</span>}
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
      <output className="vh">{loading ? 'Searching' : `${items.size} results`}</output>
      <footer className={styles.foot} aria-hidden="true">
        <span>↑ ↓ move</span>
        <span>↵ open</span>
        <span>Ctrl ↵ new tab</span>
      </footer>
    </div>
  );
}
