import { RegistrationsPage } from './RegistrationsPage.tsx';

/** /resources/IPv4ShowList */
export default function Ipv4RegistrationsPage() {
  return <RegistrationsPage kind="ipv4" />;
}
