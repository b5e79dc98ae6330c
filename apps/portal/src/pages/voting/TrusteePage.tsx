import { later } from '@portal/app-kit/page/later';

const TrusteeCeremony = later(() => import('./encrypted-parts.ts'), 'TrusteeCeremony');

/** `/voting/{electionId}/trustee`. Its parts are loaded when it is opened. */
export default function TrusteePage() {
  return <TrusteeCeremony />;
}
