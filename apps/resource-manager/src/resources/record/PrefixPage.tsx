import { useAddress } from '@portal/app-kit';
import { ResourceRecordPage } from './ResourceRecordPage.tsx';

/** /resources/prefix?prefix=198.18.0.0/19&on=2026-01-31: all that is known of a prefix or range, of whomever. */
export default function PrefixPage() {
  const resource = useAddress().get('prefix') ?? '';
  return <ResourceRecordPage key={resource} resource={resource} title="Prefix" />;
}
