import { Term } from '@portal/app-kit/words/Term';
import { later } from '@portal/app-kit/page/later';
import { Page, useAddress } from '@portal/app-kit';
import { whoisClasses } from '@portal/contract/whois/whois';
import { LinkButton, Stack } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { hrefOfFollowed } from '../../shell/followed-address.ts';
import { hrefOfList } from '../text/object-address.ts';
import { objectReads, ObjectsTable } from './ObjectsTable.tsx';

// The editor is half the size of the list: it is loaded with the first object.
const ObjectPage = later(() => import('./ObjectPage.tsx'), 'ObjectPage');
const NewObjectPage = later(() => import('./NewObjectPage.tsx'), 'NewObjectPage');
const FollowedPage = later(() => import('./FollowedPage.tsx'), 'FollowedPage');

export const reads = objectReads;

/** Whois objects of the account: the list, one of them (`?class=&key=`), a new one (`?new=`), or what the person follows (`?followed=yes`). */
export default function WhoisUpdatesPage() {
  const address = useAddress();
  const objectClass = whoisClasses.find(each => each === address.get('class'));
  const key = address.get('key');
  const asked = address.get('new');
  if (objectClass && key) return <ObjectPage key={`${objectClass} ${key}`} objectClass={objectClass} objectKey={key} />;
  if (asked !== null) return <NewObjectPage asked={asked} />;
  if (address.get('followed') === 'yes') return <FollowedPage />;
  return (
    <Page
      title="Whois updates"
      sub={
        <>
          Your public registration data: networks, contacts and routing. Edit <Term name="whoisObject">objects</Term> as a form or as text.
        </>
      }
      actions={
        <>
          <LinkButton href={hrefOfFollowed} icon="bell">
            Followed
          </LinkButton>
          <LinkButton href={`${hrefOfList()}?new=yes`} variant="primary" icon="plus">
            New object
          </LinkButton>
        </>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <ObjectsTable />
      </Stack>
    </Page>
  );
}
