import { Page, useKit, useSession } from '@portal/app-kit';
import { type PageName, pagePath, pages, type SitePage } from '@portal/contract/pages';
import { Link, Sheet } from '@portal/ui';
import { gateOf } from '../shell/account-gate.ts';
import { alternatives, unbuiltPages } from './unbuilt-pages.ts';

/** A page that is routed and guarded but not written: what it will do, and what can be done until then. */
export default function NotBuiltPage({ name, page: { title, onlyFor } }: { name: PageName; page: SitePage }) {
  const { product, supportUrl } = useKit().environment;
  const { account } = useSession();
  const plan = unbuiltPages[name];
  const meanwhile = plan?.meanwhile;
  const [before, link] = meanwhile ? alternatives[meanwhile] : ['', ''];
  const gate = account && !account.asStaff ? gateOf(onlyFor, account) : null;
  return (
    <Page title={title}>
      <Sheet aria-label={title}>
        {gate ? (
          <p>{gate}</p>
        ) : (
          <p>
            {title} isn’t available yet.{plan && ` It will ${plan.will}.`}
            {meanwhile && (
              <>
                {' '}
                Until then, {before} <Link href={meanwhile === 'support' ? supportUrl : pathOf(meanwhile, product)}>{link}</Link>.
              </>
            )}
          </p>
        )}
      </Sheet>
    </Page>
  );
}

const pathOf = (name: PageName, product: string): string => pagePath(pages[name].path, product);
