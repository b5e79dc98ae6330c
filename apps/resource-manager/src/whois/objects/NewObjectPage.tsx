import { Page, useAccount, useAnswer } from '@portal/app-kit';
import { whois, type WhoisClass, whoisClasses } from '@portal/contract/whois/whois';
import { Badge, Breadcrumb, EmptyState, Icon, Link, LinkButton, Sheet } from '@portal/ui';
import { parseObject, valueOf } from '@portal/rpsl';
import { classWords } from './class-words.ts';
import { hrefOfList } from '../text/object-address.ts';
import { newText } from '../text/object-text.ts';
import { draftOfNew, useUnsaved } from '../editor/edited-object.ts';
import { ObjectEditor } from '../editor/ObjectEditor.tsx';
import styles from './NewObjectPage.module.css';

/** Steps to a new object: its class, then its text. */
/** `asked`: the class in the address; `yes` if it is still to be chosen. */
export function NewObjectPage({ asked }: { asked: string }) {
  const objectClass = whoisClasses.find(each => each === asked && classWords[each].elsewhere === null) ?? null;
  if (objectClass === null) return <ClassChooser />;
  return (
    <Page
      title={`New ${objectClass}`}
      sub={classWords[objectClass].about}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: 'Whois updates', href: hrefOfList() },
            { label: 'New object', href: `${hrefOfList()}?new=yes` },
            { label: objectClass },
          ]}
        />
      }
    >
      <NewObject key={objectClass} objectClass={objectClass} />
    </Page>
  );
}

function NewObject({ objectClass }: { objectClass: WhoisClass }) {
  const { accountName: account } = useAccount();
  const draft = useUnsaved(account, draftOfNew(objectClass));
  const { rows: maintainers } = useAnswer(whois.listMaintainers, { account });
  const { rows: contacts } = useAnswer(whois.complete, { account, query: { kind: 'contact', q: '', limit: 5 } });
  const { rows: irts } = useAnswer(whois.complete, { account, query: { kind: 'irt', q: '', limit: 5 } });
  const ownIrts = irts.filter(({ own: isOwn }) => isOwn);
  const own = maintainers.filter(each => each.mine && each.exists);
  const maintainer = (own.find(({ principal }) => principal) ?? own[0])?.maintainer ?? null;
  if (maintainer === null)
    return (
      <Sheet aria-label="No maintainer">
        <EmptyState
          title="You don’t have a maintainer you can use"
          action={<LinkButton href="/resources/maintainer">See maintainers</LinkButton>}
        >
          Every object needs a maintainer of {account}. Ask a corporate contact to let you use one or to create the first.
        </EmptyState>
      </Sheet>
    );
  return (
    <Filled
      objectClass={objectClass}
      maintainer={maintainer}
      contact={contacts.find(({ own: isOwn }) => isOwn)?.shown ?? null}
      irt={ownIrts.length === 1 ? ownIrts[0]!.shown : null}
      draft={draft}
    />
  );
}

type FilledProps = {
  objectClass: WhoisClass;
  maintainer: string;
  contact: string | null;
  irt: string | null;
  draft: ReturnType<typeof useUnsaved>;
};

/** Source and economy are taken from any object of the account. */
function Filled({ objectClass, maintainer, contact, irt, draft }: FilledProps) {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(whois.listObjects, { account, query: { limit: 1 } });
  const [like] = rows;
  if (!like)
    return (
      <ObjectEditor
        objectClass={objectClass}
        stored={null}
        draft={draft}
        initial={initialOf(objectClass, { maintainer, contact, irt, like: null })}
      />
    );
  return <LikeOwn {...{ objectClass, maintainer, contact, irt, draft }} like={like} />;
}

function LikeOwn({ like, draft, objectClass, ...known }: FilledProps & { like: { class: WhoisClass; key: string } }) {
  const { accountName: account } = useAccount();
  const { text } = useAnswer(whois.getObject, { account, query: { class: like.class, key: like.key } });
  return <ObjectEditor objectClass={objectClass} stored={null} draft={draft} initial={initialOf(objectClass, { ...known, like: text })} />;
}

/** Source and economy are those of the account's existing objects. */
function initialOf(
  objectClass: WhoisClass,
  { maintainer, contact, irt, like }: { maintainer: string | null; contact: string | null; irt: string | null; like: string | null },
): string {
  const object = like === null ? null : parseObject(like).object;
  const isContact = objectClass === 'person' || objectClass === 'role';
  return newText(objectClass, {
    maintainer,
    contact: isContact && objectClass === 'person' ? null : contact,
    irt,
    country: (object && valueOf(object, 'country')) ?? null,
    source: (object && valueOf(object, 'source')) ?? '',
  });
}

function ClassChooser() {
  return (
    <Page
      title="New whois object"
      sub="Choose an object type."
      breadcrumb={<Breadcrumb items={[{ label: 'Whois updates', href: hrefOfList() }, { label: 'New object' }]} />}
    >
      <Sheet flush aria-label="Object types">
        <ul className={styles.classes}>
          {Object.entries(classWords).map(([name, { about, elsewhere }]) => (
            <li key={name}>
              <div>
                {elsewhere ? (
                  <span className="mono strong">{name}</span>
                ) : (
                  <Link href={`${hrefOfList()}?new=${name}`}>
                    <span className="mono strong">{name}</span>
                  </Link>
                )}
                <span className={styles.about}>{about}</span>
              </div>
              {elsewhere && (
                <p className={styles.elsewhere}>
                  <Icon name="lock" /> {elsewhere.why}. <Link href={elsewhere.href}>{elsewhere.label}</Link>
                </p>
              )}
              {name === 'irt' && <Badge kind="line">mailbox must be validated</Badge>}
            </li>
          ))}
        </ul>
      </Sheet>
    </Page>
  );
}
