import { useKit, usePlace } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { findPage } from '@portal/contract/pages';

const ceremonies = {
  trustee: later(() => import('./encrypted-parts.ts'), 'TrusteeCeremony'),
  authority: later(() => import('./encrypted-parts.ts'), 'AuthorityCeremony'),
};

/** `/voting/{electionId}/duty/{duty}`: of a trustee, or of the credential authority. Its parts are loaded when it is opened. */
export default function DutyPage() {
  const { product } = useKit().environment;
  const Ceremony = findPage(usePlace().path, product).params['duty'] === 'authority' ? ceremonies.authority : ceremonies.trustee;
  return <Ceremony />;
}
