import { reading, useKit } from '@portal/app-kit';
import { isDeskPath, pages } from '@portal/contract/pages';
import { search, type SearchHit, searchSections, type SearchSection } from '@portal/contract/search/search';
import { Icon, Link, ResourceName } from '@portal/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react';
import { useDeskKeys } from '../shell/cases/desk-keys.ts';
import { Key } from '../shell/cases/Key.tsx';
import { useMay } from '../shell/use-may.ts';
import styles from './HomeFind.module.css';

/** Choices of what is searched: all sections, or those of one kind. People are searched on a page of their own, because each search is logged. */
const scopes: Readonly<Record<string, readonly SearchSection[] | null>> = {
  Everything: null,
  Cases: ['requests', 'tickets'],
  Accounts: ['accounts'],
  Resources: ['resources'],
  Objects: ['whois'],
  Invoices: ['invoices', 'documents'],
};
/** Hits below the field; the palette shows all. */
const MOST = 9;

/** The field that finds anything of all members, with what it found below. Enter opens the first. */
export function HomeFind() {
  const { call, router } = useKit();
  const may = useMay();
  const [typed, setTyped] = useState('');
  const [scope, setScope] = useState('Everything');
  const words = useDeferredValue(typed.trim());
  const asks = words.length > 1;
  const { data, isFetching } = useQuery({
    ...reading(call, search.findEverywhere, { query: { q: words } }),
    enabled: asks,
    placeholderData: keepPreviousData,
  });
  const input = useRef<HTMLInputElement>(null);
  const toField = (): void => input.current?.focus();
  useDeskKeys({ '/': toField, s: toField }, { '/': 'Search everything', s: 'Search everything' });
  const sections = scopes[scope];
  const hits = (data ?? []).filter(({ section }) => !sections || sections.includes(section)).slice(0, MOST);
  const openFirst = (event: KeyboardEvent) => {
    const link = asks ? hits[0]?.link : undefined;
    if (event.key !== 'Enter' || link === undefined) return;
    event.preventDefault();
    // Pages of the portal and answers of RDAP are other documents.
    if (isDeskPath(link.split('?')[0]!)) router.go(link);
    else window.location.assign(link);
  };
  return (
    <search className={styles.find}>
      <div className={styles.field}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label="Search everything"
          placeholder="Account, prefix, AS number, object, case or invoice"
          autoComplete="off"
          maxLength={100}
          value={typed}
          onKeyDown={openFirst}
          onChange={({ target }) => setTyped(target.value)}
        />
        <fieldset className={styles.scopes} aria-label="What is searched">
          {Object.keys(scopes).map(name => (
            <button key={name} type="button" aria-pressed={name === scope} onClick={() => setScope(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <Key name="/" />
      </div>
      {asks && (
        <ul className={styles.hits} aria-label="Found">
          {hits.map(hit => (
            <li key={`${hit.section} ${hit.text} ${hit.link}`}>
              <Hit hit={hit} />
            </li>
          ))}
          {hits.length === 0 && (
            <li className={styles.none}>{isFetching ? 'Searching …' : `No match for “${words}” in ${scope.toLowerCase()}.`}</li>
          )}
          {may(pages.deskPeople) && sections === null && (
            <li>
              <Link href={`${pages.deskPeople.path}?q=${encodeURIComponent(words)}`}>
                <span className={styles.section}>People</span>
                <b>Search people for “{words}”</b>
                <span>logged</span>
              </Link>
            </li>
          )}
        </ul>
      )}
    </search>
  );
}

function Hit({ hit: { section, text, note, link, kind } }: { hit: SearchHit }) {
  return (
    <Link href={link}>
      <span className={styles.section}>{searchSections[section]}</span>
      {kind ? <ResourceName kind={kind} text={text} strong /> : <b className={section === 'whois' ? 'mono' : undefined}>{text}</b>}
      <span>{note}</span>
    </Link>
  );
}
