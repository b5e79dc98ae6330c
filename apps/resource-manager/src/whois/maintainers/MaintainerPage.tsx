import { Term } from '@portal/app-kit/words/Term';
import { Page, type PageReads, read, useAccount, useAddress, useChange, useKit, useRead, useRefusal } from '@portal/app-kit';
import { whois, type WhoisMaintainer } from '@portal/contract/whois/whois';
import {
  Badge,
  Breadcrumb,
  Button,
  DateText,
  EmptyState,
  formatCount,
  KeyValueList,
  Link,
  LinkButton,
  Row,
  Sheet,
  SkeletonRows,
  Stack,
} from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { KeepMaintainerUsers } from './KeepMaintainerUsers.tsx';
import { LinkMaintainer } from './LinkMaintainer.tsx';
import { MaintainerUsers } from './MaintainerUsers.tsx';
import { NewMaintainer } from './NewMaintainer.tsx';
import { hrefOfList, hrefOfObject } from '../text/object-address.ts';
import styles from './MaintainerPage.module.css';

const home = '/resources/maintainer';

const maintainersOf = (account: string) => read(whois.listMaintainers, { account });
export const reads: PageReads = ({ account }) => [maintainersOf(account)];

/** Maintainers of the account: the list, a new one (`?new=yes`), the link of one that exists (`?link=NAME&code=CODE`), its last users (`?keep=NAME&code=CODE`). */
export default function MaintainerPage() {
  const account = useAccount().accountName;
  const address = useAddress();
  const first = [maintainersOf(account)] as const;
  if (address.get('new') !== null)
    return (
      <Page
        title="New maintainer"
        sub="A maintainer controls who can change objects. It’s linked to the account when created."
        breadcrumb={<Breadcrumb items={[{ label: 'Maintainers', href: home }, { label: 'New maintainer' }]} />}
      >
        <FirstRead reads={first} fallback={<Waiting />}>
          <NewMaintainer />
        </FirstRead>
      </Page>
    );
  return (
    <Page
      title="Maintainers"
      sub={
        <>
          <Term name="maintainer">Maintainers</Term> control who can change your whois objects.
        </>
      }
      actions={
        <Row gap={8} wrap>
          <LinkButton href={`${home}?new=yes`} variant="primary" icon="plus">
            New maintainer
          </LinkButton>
          <Button onClick={() => address.set({ link: 'yes' }, { step: true })}>Link an existing maintainer</Button>
        </Row>
      }
    >
      <AccountNote />
      <FirstRead reads={first} fallback={<Waiting />}>
        <Maintainers />
      </FirstRead>
    </Page>
  );
}

const Waiting = () => (
  <Sheet flush aria-label="Maintainers">
    <SkeletonRows rows={4} label="Loading maintainers" />
  </Sheet>
);

const refresh = [whois.listMaintainers, whois.listObjects, whois.complete, whois.listIrts];

function Maintainers() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const { rows } = useRead(maintainersOf(account));
  const unlink = useChange(whois.unlinkMaintainer, {
    refresh,
    onDone: (_, { maintainer }) => {
      address.set({ unlink: null });
      notify({ text: `${maintainer} is no longer linked to ${account}.` });
    },
  });
  const choose = useChange(whois.choosePrincipalMaintainer, {
    refresh,
    onDone: (_, { maintainer }) => notify({ text: `${maintainer} is now the principal maintainer.` }),
  });
  const of = (name: string) => rows.find(({ maintainer }) => maintainer === address.get(name)) ?? null;
  const [unlinked, granted] = [of('unlink'), of('users')];
  const asked = address.get('link');
  const kept = address.get('keep');
  return (
    <>
      {rows.length === 0 ? (
        <Sheet aria-label="Maintainers">
          <EmptyState title="No maintainer yet" action={<LinkButton href={`${home}?new=yes`}>Make the first one</LinkButton>}>
            Create one to manage the whois objects of {account}. The first is created together with its person.
          </EmptyState>
        </Sheet>
      ) : (
        <Stack gap={16}>
          {rows.map(row => (
            <Maintainer
              key={row.maintainer}
              row={row}
              choosing={choose.isPending && choose.variables.maintainer === row.maintainer}
              onChoose={() => choose.mutate({ account, maintainer: row.maintainer })}
            />
          ))}
        </Stack>
      )}
      <ConfirmDialog
        open={unlinked !== null}
        onClose={() => address.set({ unlink: null })}
        title={`Unlink ${unlinked?.maintainer}?`}
        act="Unlink maintainer"
        kind="danger"
        keep="Cancel"
        busy={unlink.isPending}
        onAct={() => unlinked && unlink.mutate({ account, maintainer: unlinked.maintainer })}
      >
        <p>
          Its {unlinked ? formatCount(sumOf(unlinked)) : ''} objects can no longer be changed through {account}. They stay as they are.
          Linking it again needs a code sent to its upd-to addresses.
        </p>
      </ConfirmDialog>
      {granted && <MaintainerUsers key={granted.maintainer} row={granted} onClose={() => address.set({ users: null })} />}
      {kept !== null && (
        <KeepMaintainerUsers maintainer={kept} code={address.get('code') ?? ''} onClose={() => address.set({ keep: null, code: null })} />
      )}
      {asked !== null && (
        <LinkMaintainer
          given={{ maintainer: asked === 'yes' ? '' : asked, code: address.get('code') ?? '' }}
          onClose={() => address.set({ link: null, code: null })}
        />
      )}
    </>
  );
}

const sumOf = ({ maintains }: WhoisMaintainer): number => maintains.reduce((sum, { objects }) => sum + objects, 0);
const addresses = (list: readonly string[]) =>
  list.length === 0 ? <span className="quiet">none</span> : <span className="mono">{list.join(', ')}</span>;

type MaintainerProps = { row: WhoisMaintainer; choosing: boolean; onChoose: () => void };

function Maintainer({ row, choosing, onChoose }: MaintainerProps) {
  const { maintainer, principal, exists, mine } = row;
  return (
    <Sheet
      title={<span className="mono">{maintainer}</span>}
      meta={
        <>
          {principal && <Badge kind="line">Principal</Badge>}
          {!exists && (
            <Badge kind="invalid" icon="invalid">
              Deleted
            </Badge>
          )}
          {exists && !mine && (
            <Badge kind="neutral" icon="lock">
              You can’t use it
            </Badge>
          )}
        </>
      }
      footer={<MaintainerActs row={row} choosing={choosing} onChoose={onChoose} />}
    >
      <KeyValueList
        align="left"
        items={[
          { key: 'Description', value: row.descr || <span className="quiet">none</span> },
          {
            key: 'Protects',
            value: <Protected row={row} />,
          },
          {
            key: 'Opened by',
            value:
              row.auth.length === 0 ? (
                <Badge kind="warning" icon="warning">
                  No supported method
                </Badge>
              ) : (
                row.auth.map(method => (/^portal$/i.test(method) ? 'this portal' : method)).join(', ')
              ),
          },
          { key: 'Refusals go to (upd-to)', value: addresses(row.updTo) },
          { key: 'Changes go to (mnt-nfy)', value: addresses(row.mntNfy) },
          {
            key: 'Users',
            value: <MaintainerUserNames row={row} />,
          },
          { key: 'Linked', value: <DateText value={row.linkedAt} shape="date" /> },
        ]}
      />
    </Sheet>
  );
}

function MaintainerActs({ row: { maintainer, principal, exists }, choosing, onChoose }: MaintainerProps) {
  const address = useAddress();
  const mayManage = useRefusal(whois.unlinkMaintainer);
  const mayGrant = useRefusal(whois.grantMaintainer);
  return (
    <Row gap={8} wrap>
      {exists && (
        <LinkButton size="s" href={hrefOfObject('mntner', maintainer)}>
          Open object
        </LinkButton>
      )}
      <Button size="s" refusal={mayGrant} refusalIn="note" onClick={() => address.set({ users: maintainer }, { step: true })}>
        Change users
      </Button>
      {!principal && (
        <Button size="s" busy={choosing} refusal={mayManage} refusalIn="note" onClick={onChoose}>
          Make principal
        </Button>
      )}
      <span className={styles.last}>
        <Button
          size="s"
          variant="quiet"
          refusal={mayManage ?? (principal ? { reason: 'Make another maintainer the principal first' } : null)}
          refusalIn="note"
          onClick={() => address.set({ unlink: maintainer }, { step: true })}
        >
          Unlink
        </Button>
      </span>
    </Row>
  );
}

/** The objects that a maintainer protects. */
function Protected({ row }: { row: WhoisMaintainer }) {
  const total = sumOf(row);
  if (total === 0) return <span className="quiet">nothing</span>;
  return (
    <>
      <Link href={`${hrefOfList()}?maintainer=${encodeURIComponent(row.maintainer)}`}>
        {formatCount(total)} {total === 1 ? 'object' : 'objects'}
      </Link>{' '}
      <span className="quiet">{row.maintains.map(each => `${each.class} ${formatCount(each.objects)}`).join(', ')}</span>
    </>
  );
}

/** The contacts that may use a maintainer. */
function MaintainerUserNames({ row: { users, usersEndAt } }: { row: WhoisMaintainer }) {
  if (users === null) return <span className="quiet">you don’t have permission to see users</span>;
  return (
    <>
      {['corporate contacts', ...users.map(({ name }) => name)].join(', ')}
      {usersEndAt !== null && (
        <>
          {' '}
          <Badge kind="pending" icon="waiting">
            leaving
          </Badge>{' '}
          <span className="quiet">
            on <DateText value={usersEndAt} />. Then only corporate contacts. Change users to keep them
          </span>
        </>
      )}
    </>
  );
}
