import { useAddress } from '@portal/app-kit';
import { ResourceRecordPage } from './ResourceRecordPage.tsx';

/** /resources/prefix?prefix=198.18.0.0/19&on=2026-01-31: everything known about any prefix or range. */
export default function PrefixPage() {
  const resource = useAddress().get('prefix') ?? '';
  return <ResourceRecordPage key={resource} resource={resource} title="Prefix" />;
}
