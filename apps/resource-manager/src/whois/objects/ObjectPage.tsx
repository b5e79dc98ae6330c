import { later } from '@portal/app-kit/page/later';
import { Page, reading, type ServiceFailure, useAccount, useAddress, useKit } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { whois, type WhoisClass, type WhoisObject } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { printResource } from '@portal/number-resources';
import { rangeOfKey } from '@portal/rpsl';
import {
  Badge,
  Banner,
  Breadcrumb,
  Button,
  DateText,
  Disclosure,
  EmptyState,
  KeyValueList,
  Link,
  LinkButton,
  Sheet,
  SkeletonLines,
  Stack,
  Tabs,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, Suspense, useState } from 'react';
import { FollowButton } from '../../shell/FollowButton.tsx';
import { hrefOfList, hrefOfObject } from '../text/object-address.ts';
import { draftOfObject, useUnsaved } from '../editor/edited-object.ts';
import { ObjectEditor } from '../editor/ObjectEditor.tsx';
import { ObjectHistory } from './ObjectHistory.tsx';
import { CopyText, ObjectText } from '../text/ObjectText.tsx';
import { Presence } from './Presence.tsx';
import { PublicationReceipt } from '../../shell/PublicationReceipt.tsx';
import { ReferenceList } from './ReferenceList.tsx';

const DeleteObject = later(() => import('./DeleteObject.tsx'), 'DeleteObject');
const ReclaimObject = later(() => import('./ReclaimObject.tsx'), 'ReclaimObject');

/** One whois object: view, editor, versions, and after a change its publication. */
export function ObjectPage({ objectClass, objectKey }: { objectClass: WhoisClass; objectKey: string }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, whois.getObject, { account, query: { class: objectClass, key: objectKey } }));
  const isGone = (error as ServiceFailure | null)?.status === 404;
  if (error && !isGone) throw error;
  if (!error && !data)
    return (
      <Frame objectClass={objectClass} shown={objectKey}>
        <SkeletonLines lines={12} label="Loading the object" />
      </Frame>
    );
  return isGone || !data ? <Gone objectClass={objectClass} objectKey={objectKey} /> : <Found stored={data} />;
}

function Frame({
  objectClass,
  shown,
  actions,
  sub,
  children,
}: {
  objectClass: WhoisClass;
  shown: string;
  actions?: ReactNode;
  sub?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page
      title={`${objectClass} ${spacedKey(shown)}`}
      heading={
        <>
          {objectClass} <span className="mono">{spacedKey(shown)}</span>
        </>
      }
      sub={sub}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: 'Whois updates', href: hrefOfList() },
            { label: objectClass, href: hrefOfList(objectClass) },
            { label: spacedKey(shown) },
          ]}
        />
      }
      actions={actions}
    >
      {children}
    </Page>
  );
}

/** The receipt of the last change, while it is in the address. */
function Saved({ objectClass, objectKey }: { objectClass: WhoisClass; objectKey: string }) {
  const address = useAddress();
  const version = Number(address.get('saved'));
  if (!Number.isInteger(version) || version < 1) return null;
  return (
    <Sheet
      title="Publication"
      meta={`Version ${version}`}
      actions={<Button variant="quiet" size="s" icon="close" aria-label="Close the receipt" onClick={() => address.set({ saved: null })} />}
    >
      <PublicationReceipt key={version} objectClass={objectClass} objectKey={objectKey} version={version} />
    </Sheet>
  );
}

function Views({ objectClass, objectKey, view }: { objectClass: WhoisClass; objectKey: string; view: 'object' | 'history' }) {
  return (
    <Tabs
      label="Views of the object"
      items={[
        { href: hrefOfObject(objectClass, objectKey), label: 'Object', current: view === 'object' },
        { href: hrefOfObject(objectClass, objectKey, { view: 'history' }), label: 'History', current: view === 'history' },
      ]}
    />
  );
}

function Found({ stored }: { stored: WhoisObject }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const [isDeleting, setDeleting] = useState(false);
  const { class: objectClass, key, shown, mayEdit, mayDelete, why } = stored;
  const draft = useUnsaved(account, draftOfObject(objectClass, key));
  const view = address.oneOf('view', ['object', 'history']);
  return (
    <Frame
      objectClass={objectClass}
      shown={shown}
      sub={
        <>
          Version {stored.version}, changed <DateText value={stored.changedAt} />{' '}
          {stored.keptFor !== null && (
            <Badge kind="line" icon="lock">
              managed by the registry
            </Badge>
          )}{' '}
          {mayEdit && view === 'object' && <Presence objectClass={objectClass} objectKey={key} />}
        </>
      }
      actions={
        <>
          <FollowButton what={{ class: objectClass, key }} name={`${objectClass} ${shown}`} />
          {stored.mayReclaim && (
            <Button icon="lock" onClick={() => address.set({ act: 'reclaim' })}>
              Reclaim
            </Button>
          )}
          {mayEdit && (
            <Button
              icon="trash"
              refusal={
                mayDelete
                  ? null
                  : {
                      reason:
                        stored.keptFor !== null
                          ? 'It’s removed when its delegation or membership ends'
                          : (why ?? 'Only the registry can delete it'),
                    }
              }
              refusalIn="note"
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
          )}
        </>
      }
    >
      <Views objectClass={objectClass} objectKey={shown} view={view} />
      <Stack gap={16}>
        {draft.value === null && <Saved objectClass={objectClass} objectKey={shown} />}
        {view === 'history' ? (
          <ObjectHistory objectClass={objectClass} objectKey={shown} stored={stored} draft={draft} mayRestore={mayEdit} />
        ) : (
          <>
            {why !== null && <Banner kind="info">{why}.</Banner>}
            {mayEdit ? (
              <ObjectEditor
                objectClass={objectClass}
                stored={stored}
                initial={stored.text}
                draft={draft}
                facts={<Facts stored={stored} />}
              />
            ) : (
              <>
                <Sheet title="Text" flush actions={<CopyText text={stored.text} />}>
                  <ObjectText text={stored.text.trimEnd()} label="Text of the object" />
                </Sheet>
                <Facts stored={stored} />
              </>
            )}
          </>
        )}
      </Stack>
      {isDeleting && (
        <Suspense>
          <DeleteObject stored={stored} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
      {stored.mayReclaim && address.get('act') === 'reclaim' && (
        <Suspense>
          <ReclaimObject stored={stored} onClose={() => address.set({ act: null })} />
        </Suspense>
      )}
    </Frame>
  );
}

function Facts({ stored }: { stored: WhoisObject }) {
  const { class: objectClass, key, references } = stored;
  const range = rangeOfKey(objectClass, key);
  const numbers = range && objectClass !== 'as-block' ? printResource(range) : null;
  const [open, setOpen] = useState(false);
  const maintainers = maintainersIn(stored.text);
  return (
    <Sheet title="Details">
      <Stack gap={12}>
        <KeyValueList
          align="left"
          items={[
            { key: 'Created', value: <DateText value={stored.createdAt} /> },
            { key: 'Last changed', value: <DateText value={stored.changedAt} /> },
            ...(numbers ? [{ key: 'All about', value: <Link href={recordAddress(numbers)}>{numbers}</Link> }] : []),
            ...(maintainers.length > 0
              ? [
                  {
                    key: 'Who can change it',
                    value: (
                      <>
                        Users of{' '}
                        {maintainers.map((name, place) => (
                          <Fragment key={name}>
                            {place > 0 && ', '}
                            <Link href={hrefOfObject('mntner', name)}>
                              <span className="mono nw">{name}</span>
                            </Link>
                          </Fragment>
                        ))}
                      </>
                    ),
                  },
                ]
              : []),
            { key: 'Referred to by', value: references === 0 ? 'no objects' : `${references} ${references === 1 ? 'object' : 'objects'}` },
          ]}
        />
        {references > 0 &&
          (open ? (
            <Suspense fallback={<SkeletonLines lines={3} label="Loading references" />}>
              <ReferenceList objectClass={objectClass} objectKey={key} />
            </Suspense>
          ) : (
            <div>
              <Button size="s" onClick={() => setOpen(true)}>
                Show references
              </Button>
            </div>
          ))}
      </Stack>
    </Sheet>
  );
}

/** The maintainers in the text of an object, in their order. */
const maintainersIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/^mnt-by:(.*)$/gim)].flatMap(([, names]) =>
      names!
        .replace(/#.*$/, '')
        .split(',')
        .flatMap(name => name.trim() || []),
    ),
  ),
];

/** An object that doesn't exist: its history if it did, and a way to create it again. */
function Gone({ objectClass, objectKey }: { objectClass: WhoisClass; objectKey: string }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const address = useAddress();
  const draft = useUnsaved(account, draftOfObject(objectClass, objectKey));
  const { data, error } = useQuery(
    reading(call, whois.listVersions, { account, query: { class: objectClass, key: objectKey, offset: 0, limit: 50 } }),
  );
  if (error)
    return (
      <Frame objectClass={objectClass} shown={objectKey}>
        <Sheet aria-label="Not found">
          <EmptyState title="Object not found" action={<LinkButton href={hrefOfList()}>See all objects</LinkButton>}>
            No {objectClass} {objectKey} exists or existed.
          </EmptyState>
        </Sheet>
      </Frame>
    );
  if (!data)
    return (
      <Frame objectClass={objectClass} shown={objectKey}>
        <SkeletonLines lines={12} label="Loading history" />
      </Frame>
    );
  const isRestoring = draft.value !== null && address.get('view') !== 'history';
  return (
    <Frame objectClass={objectClass} shown={objectKey} sub={<Badge kind="line">deleted</Badge>}>
      <Stack gap={16}>
        {draft.value === null && <Saved objectClass={objectClass} objectKey={objectKey} />}
        {isRestoring ? (
          <ObjectEditor objectClass={objectClass} stored={null} initial={draft.value?.text ?? ''} draft={draft} />
        ) : (
          <ObjectHistory objectClass={objectClass} objectKey={objectKey} stored={null} draft={draft} mayRestore />
        )}
        {isRestoring && (
          <Disclosure summary="History">
            <LinkButton href={hrefOfObject(objectClass, objectKey, { view: 'history' })}>Open the history</LinkButton>
          </Disclosure>
        )}
      </Stack>
    </Frame>
  );
}
