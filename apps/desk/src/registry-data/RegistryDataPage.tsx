import { Page } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { Stack } from '@portal/ui';
import { LeftOutZones } from './LeftOutZones.tsx';
import { SharedHandles } from './SharedHandles.tsx';

/** /desk/registry-data: published data that contradicts itself and that a person has to put right. */
export default function RegistryDataPage() {
  return (
    <Page title={pages.deskRegistryData.title} sub="Published data that someone has to put right.">
      <Stack gap={16}>
        <LeftOutZones />
        <SharedHandles />
      </Stack>
    </Page>
  );
}
