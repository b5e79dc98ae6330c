import { RegistrationsPage } from './RegistrationsPage.tsx';

/** /resources/IPv6ShowList */
export default function Ipv6RegistrationsPage() {
  return <RegistrationsPage kind="ipv6" />;
}
