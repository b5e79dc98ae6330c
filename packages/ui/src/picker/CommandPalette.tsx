import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
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
  /** Opens it by Alt and this digit, while it is shown. */
  digit?: string;
};

export type PaletteGroup = { label: string; items: readonly PaletteItem[] };

/** A part of the results, chosen by a press or by the sign before what is typed: `>` for actions. */
export type PaletteSection = {
  label: string;
  sign: string;
  /** Labels of its groups. */
  groups: readonly string[];
};

/** An act on the item under the cursor, by Alt and a key. */
export type PaletteAct = { key: string; label: string; href?: string; copies?: string };

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
  sections?: readonly PaletteSection[];
  /** Shown while nothing is typed, in place of all groups. */
  goTo?: readonly PaletteItem[];
  /** Where else to look for words that nothing was found for. */
  further?: (words: string) => PaletteGroup;
  /** Actions with the typed words, and with what was found for them: listed last. */
  actionsWith?: (words: string, shown: readonly PaletteGroup[]) => readonly PaletteItem[];
  /** The words that were likely meant, where the search found only what is spelt otherwise. */
  meant?: string | null;
  /** Named where nothing was found: the account. */
  place?: string;
  /** Details of the item under the cursor, beside the list in wide windows. */
  preview?: (item: PaletteItem) => ReactNode;
  actsOn?: (item: PaletteItem) => readonly PaletteAct[];
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
  goTo,
  section,
}: {
  typed: string;
  groups: readonly PaletteGroup[];
  found?: readonly PaletteGroup[];
  recent?: readonly PaletteItem[];
  likely?: readonly PaletteItem[];
  goTo?: readonly PaletteItem[];
  /** Only groups of this section. */
  section?: PaletteSection | null;
}): PaletteGroup[] {
  const words = typed.trim();
  const beforeTyping = [
    { label: 'Recent', items: recent },
    { label: 'Likely here', items: likely },
    ...(goTo ? [{ label: 'Go to', items: goTo }] : groups),
  ];
  const all =
    words === ''
      ? section
        ? groups
        : beforeTyping
      : arranged(
          words,
          found,
          groups.map(group => ({ label: group.label, items: group.items.filter(item => matches(item, words)) })),
        );
  const seen = new Set<string>();
  return all
    .filter(({ label }) => !section || section.groups.includes(label))
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

const ACTIONS = 'Actions';
/** The groups with further actions at the end of theirs, which is the last. */
function withActions(groups: readonly PaletteGroup[], actions: readonly PaletteItem[]): readonly PaletteGroup[] {
  if (actions.length === 0) return groups;
  const own = groups.find(({ label }) => label === ACTIONS)?.items ?? [];
  return [...groups.filter(({ label }) => label !== ACTIONS), { label: ACTIONS, items: [...own, ...actions] }];
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

/** Says which item has the cursor: the list moves it without the focus. */
function Cursor({ isOn, id, onMove }: { isOn: boolean; id: string; onMove: (id: string) => void }) {
  useEffect(() => {
    if (isOn) onMove(id);
  }, [isOn, id, onMove]);
  return null;
}

type SearchProps = Omit<CommandPaletteProps, 'open'>;

/** The typed text, the section it names or that was pressed, and what matches. */
function useMatches(props: SearchProps) {
  const { groups, found, recent, likely, goTo, sections = [], further, actionsWith, meant, loading } = props;
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<PaletteSection | null>(null);
  const section = sections.find(({ sign }) => typed.startsWith(sign)) ?? chosen;
  const wordsOf = (text: string): string => (sections.some(({ sign }) => text.startsWith(sign)) ? text.slice(1) : text).trim();
  const words = wordsOf(typed);
  const matching = paletteGroups({
    typed: words,
    groups,
    section,
    ...(found && { found }),
    ...(recent && { recent }),
    ...(likely && { likely }),
    ...(goTo && { goTo }),
  });
  const isMissed = matching.length === 0 || (Boolean(meant) && matching.every(group => found?.some(({ label }) => label === group.label)));
  const isLost = words !== '' && isMissed && !loading && further !== undefined;
  const isListed = words !== '' && matching.length > 0 && (!section || section.groups.includes(ACTIONS));
  const shown = isLost ? [...matching, further(words)] : isListed ? withActions(matching, actionsWith?.(words, matching) ?? []) : matching;
  const items = new Map(shown.flatMap(group => group.items.map(item => [item.id, item])));
  return { typed, setTyped, section, setChosen, wordsOf, words, isLost, shown, items };
}

function Search(props: SearchProps) {
  const { onClose, onSearch, loading, onPick, sections = [], place, preview, actsOn, meant } = props;
  const { label = 'Find anything', placeholder = 'Find a prefix, AS number, object, invoice' } = props;
  const [newTab, setNewTab] = useState(false);
  const [cursor, setCursor] = useState<string | null>(null);
  const { typed, setTyped, section, setChosen, wordsOf, words, isLost, shown, items } = useMatches(props);
  const under = cursor === null ? undefined : items.get(cursor);
  const acts = under && actsOn ? actsOn(under) : [];
  // Of other places to look nothing is known.
  const isBeside = preview !== undefined && under !== undefined && !isLost;
  const run = ({ href, copies, label: name }: PaletteAct): void => {
    // A browser that blocks it says so itself.
    if (copies !== undefined) navigator.clipboard.writeText(copies).catch(() => undefined);
    onClose();
    if (href !== undefined) onPick({ id: `act ${href}`, text: name, href }, { newTab: false });
  };
  const keys = (event: KeyboardEvent) => {
    const act = event.altKey && acts.find(({ key }) => event.code === `Key${key}`);
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      run(act);
      return;
    }
    const numbered = event.altKey && [...items.values()].find(({ digit }) => digit !== undefined && event.code === `Digit${digit}`);
    if (numbered) {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      onPick(numbered, { newTab: false });
      return;
    }
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
  const search = (text: string) => {
    setTyped(text);
    onSearch?.(wordsOf(text));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- reads the modifier keys before the list acts
    <div onKeyDownCapture={keys} onPointerDownCapture={event => setNewTab(event.ctrlKey || event.metaKey)}>
      <Autocomplete inputValue={typed} onInputChange={search}>
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
          {words !== '' && !isLost && !loading && (
            <span className={styles.found} aria-hidden="true">
              {items.size} found
            </span>
          )}
          <kbd>Esc</kbd>
        </SearchField>
        <SectionChips sections={sections} section={section} onChoose={setChosen} />
        {isLost && <NoMatch words={words} place={place} meant={meant} onSearch={search} />}
        <div className={styles.body} data-beside={isBeside ? '' : undefined}>
          <Results groups={shown} words={words} counts={words !== '' && !isLost} loading={loading} onPick={pick} onMove={setCursor} />
          {isBeside && (
            <aside className={styles.preview} aria-label={`About ${under.text}`}>
              {preview(under)}
              <Acts acts={acts} onRun={run} />
            </aside>
          )}
        </div>
      </Autocomplete>
      <output className="vh">{loading ? 'Searching' : `${items.size} results`}</output>
      <Keys sections={sections} />
    </div>
  );
}

/** Says that nothing has the words, and offers what was likely meant. */
const NoMatch = ({
  words,
  place,
  meant,
  onSearch,
}: {
  words: string;
  place: string | undefined;
  meant: string | null | undefined;
  onSearch: (words: string) => void;
}) => (
  <p className={styles.lost}>
    <b className="strong">
      No match for “{words}”{place ? ` in ${place}` : ''}
    </b>
    {meant && (
      <span>
        Did you mean{' '}
        <button type="button" onClick={() => onSearch(meant)}>
          {meant}
        </button>
        ?
      </span>
    )}
  </p>
);

/** The keys of the palette, at its foot. */
const Keys = ({ sections }: { sections: readonly PaletteSection[] }) => (
  <footer className={styles.foot} aria-hidden="true">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> move
    </span>
    <span>
      <kbd>↵</kbd> open
    </span>
    <span>
      <kbd>Ctrl ↵</kbd> new tab
    </span>
    {sections.length > 0 && (
      <span>
        {sections.map(({ sign }) => (
          <kbd key={sign}>{sign}</kbd>
        ))}{' '}
        section
      </span>
    )}
    <span className={styles.close}>
      <kbd>Esc</kbd> close
    </span>
  </footer>
);

function SectionChips({
  sections,
  section,
  onChoose,
}: {
  sections: readonly PaletteSection[];
  section: PaletteSection | null;
  onChoose: (section: PaletteSection | null) => void;
}) {
  if (sections.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- chips of one row, not fields of a form
    <div className={styles.sections} role="group" aria-label="Sections">
      <button type="button" aria-pressed={section === null} onClick={() => onChoose(null)}>
        All
      </button>
      {sections.map(each => (
        <button key={each.sign} type="button" aria-pressed={section === each} onClick={() => onChoose(section === each ? null : each)}>
          {each.label} <kbd>{each.sign}</kbd>
        </button>
      ))}
    </div>
  );
}

function Results({
  groups,
  words,
  counts,
  loading,
  onPick,
  onMove,
}: {
  groups: readonly PaletteGroup[];
  words: string;
  /** Says how many each group has. */
  counts: boolean;
  loading: boolean | undefined;
  onPick: (key: string) => void;
  onMove: (id: string) => void;
}) {
  const none = words === '' ? 'Type a name or a number.' : `No results for “${words}”. Try a prefix, AS number, handle or name.`;
  return (
    <ListBox
      className={styles.list ?? ''}
      aria-label="Results"
      selectionMode="none"
      onAction={key => onPick(String(key))}
      renderEmptyState={() => <p className={styles.none}>{loading ? 'Searching' : none}</p>}
    >
      {groups.map(group => (
        <ListBoxSection key={group.label} id={group.label}>
          <Header className={styles.label}>
            <span>{group.label}</span>
            {counts && <span>{group.items.length}</span>}
          </Header>
          {group.items.map(item => (
            <ListBoxItem key={item.id} id={item.id} textValue={item.text} className={styles.item ?? ''}>
              {({ isFocused }) => (
                <>
                  <Cursor isOn={isFocused} id={item.id} onMove={onMove} />
                  {item.kind ? <KindMark kind={item.kind} /> : <Icon name={item.icon ?? 'arrow-right'} />}
                  <span className={item.kind || item.mono ? `mono ${styles.text}` : styles.text}>
                    <Marked text={item.text} typed={words} />
                  </span>
                  {item.note && (
                    <span className={styles.note}>
                      <Marked text={item.note} typed={words} />
                    </span>
                  )}
                  {item.digit && <kbd aria-hidden="true">Alt {item.digit}</kbd>}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  );
}

const Acts = ({ acts, onRun }: { acts: readonly PaletteAct[]; onRun: (act: PaletteAct) => void }) => (
  <div className={styles.acts}>
    {acts.map(act => (
      <button key={act.key} type="button" onClick={() => onRun(act)}>
        <kbd>Alt {act.key}</kbd> {act.label}
      </button>
    ))}
  </div>
);
