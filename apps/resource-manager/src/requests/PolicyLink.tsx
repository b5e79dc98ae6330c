import type { RequestKind } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { Link } from '@portal/ui';

/** Articles of the help about one rule; other rules are explained with their kind of request. */
const articlesOfRules: Record<string, string> = {
  open: 'accounts-and-roles',
  agreement: 'accounts-and-roles',
  invoices: 'invoices',
  'abuse-contact': 'abuse-contacts',
};
const articlesOfKinds: Partial<Record<RequestKind, string>> = {
  transfer: 'transfer-resources',
  acquisition: 'mergers',
  return: 'return-resources',
};

/** Returns the slug of the help article that explains a rule. */
const articleOf = ({ checkId }: Pick<RequestCheck, 'checkId'>, kind: RequestKind): string =>
  articlesOfRules[checkId] ?? articlesOfKinds[kind] ?? 'request-resources';

/** A rule in a few words, linked to its help article. It opens in a tab of its own: the page may have an unsent draft. */
export function PolicyLink({ check, kind }: { check: Pick<RequestCheck, 'checkId' | 'policy'>; kind: RequestKind }) {
  return (
    <Link href={`/help/${articleOf(check, kind)}`} target="_blank">
      {check.policy}
    </Link>
  );
}

/** A link to the help article about all rules of a kind of request. */
export const PolicySummary = ({ kind }: { kind: RequestKind }) => (
  <Link className="small" href={`/help/${articlesOfKinds[kind] ?? 'request-resources'}`} target="_blank">
    Policy summary
  </Link>
);
