import { Page, read, useAddress, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { brand, type BrandDesk, type BrandValue } from '@portal/contract/brand/brand';
import { type BrandGroup, brandGroups, brandRow, brandValues } from '@portal/contract/brand/brand-values';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Icon, Link, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { useMay } from '../shell/use-may.ts';
import styles from './Brand.module.css';
import { changeHref, stateWords, titlesOf, Value, valueInShort } from './brand-words.tsx';

const ChangeView = later(() => import('./ChangeView.tsx'), 'ChangeView');
const PrepareChange = later(() => import('./PrepareChange.tsx'), 'PrepareChange');

/** /desk/brand: names, contact, links, logo and colours in force, and their changes; with `change` or `prepare` in the address, one of them or the form. */
export default function BrandPage() {
  const may = useMay();
  const address = useAddress();
  const [change, prepare] = [address.get('change'), address.get('prepare')];
  if (prepare !== null && may(brand.prepareBrandChange)) return <PrepareChange key={prepare} version={prepare} />;
  return change === null ? <InForce /> : <ChangeView key={change} changeId={change} />;
}

/** The first read of the page. */
export const reads = [read(brand.getBrand, {})];

function InForce() {
  const may = useMay();
  const desk = useAnswer(brand.getBrand, {});
  return (
    <Page
      title={pages.deskBrand.title}
      sub="The names, contact and links on pages, mails and documents, and the logo and accent colour of pages. One person prepares a change and sees it on real pages, and a second person confirms it."
      actions={
        may(brand.prepareBrandChange) && (
          <LinkButton variant="primary" icon="plus" href="/desk/brand?prepare=new">
            Prepare a change
          </LinkButton>
        )
      }
    >
      <Stack gap={16}>
        {(Object.keys(brandGroups) as BrandGroup[]).map(group => (
          <Group key={group} group={group} desk={desk} />
        ))}
        <Versions desk={desk} />
      </Stack>
    </Page>
  );
}

function Group({ group, desk }: { group: BrandGroup; desk: BrandDesk }) {
  const values = desk.values.filter(({ name }) => brandValues[name].group === group);
  return (
    <Sheet flush title={brandGroups[group]}>
      <dl className={styles.values}>
        {values.map(value => (
          <ValueRow key={value.name} value={value} />
        ))}
      </dl>
    </Sheet>
  );
}

function ValueRow({ value: { name, value, since, next, fixed } }: { value: BrandValue }) {
  const { title, help } = brandRow(name);
  return (
    <div>
      <dt>
        {title}
        <small>{help}</small>
      </dt>
      <dd>
        <Value name={name} value={value} />
        <small>
          {fixed ? (
            <>
              <Icon name="lock" /> Fixed in the profile file
            </>
          ) : since ? (
            <>
              Since{' '}
              <Link href={changeHref(since.changeId)}>
                <DateText value={since.beganAt} shape="date" />
              </Link>
            </>
          ) : (
            'From the profile file'
          )}
          {next && (
            <>
              . From <DateText value={next.day} shape="date" />:{' '}
              <Link href={changeHref(next.changeId)}>{valueInShort(name, next.value)}</Link>
            </>
          )}
        </small>
      </dd>
    </div>
  );
}

/** Changes, the newest first: kept permanently. */
function Versions({ desk }: { desk: BrandDesk }) {
  return (
    <Sheet flush title="Versions" meta={desk.changes.length > 0 && <span>{desk.changes.length}</span>}>
      {desk.changes.length === 0 ? (
        <EmptyState title="No changes yet" picture={false}>
          All values are those of the registry’s profile. Changes appear here with who proposed and who confirmed them.
        </EmptyState>
      ) : (
        <ul className={styles.versions}>
          {desk.changes.map(change => {
            const { state, words } = stateWords(change);
            return (
              <li key={change.changeId}>
                <span>
                  <Link href={changeHref(change.changeId)}>{titlesOf(change)}</Link>
                  <small>
                    {change.reason}. {change.proposedBy ?? change.preparedBy}
                    {change.confirmedBy !== null && ` and ${change.confirmedBy}`},{' '}
                    <DateText value={change.beginsAt ?? change.preparedAt} shape="date" />
                  </small>
                </span>
                <StateMark state={state}>{words}</StateMark>
              </li>
            );
          })}
        </ul>
      )}
    </Sheet>
  );
}
