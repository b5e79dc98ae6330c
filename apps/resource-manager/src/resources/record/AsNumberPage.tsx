import { useAddress } from '@portal/app-kit';
import { ResourceRecordPage } from './ResourceRecordPage.tsx';

/** /resources/as-number?number=AS64500&on=2026-01-31: everything known about any AS number. */
export default function AsNumberPage() {
  const resource = useAddress().get('number') ?? '';
  return <ResourceRecordPage key={resource} resource={resource} title="AS number" />;
}
