import { Page } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { Stack } from '@portal/ui';
import { Feeds } from './Feeds.tsx';
import { LeftOutZones } from './LeftOutZones.tsx';
import { SharedHandles } from './SharedHandles.tsx';

/** /desk/registry-data: the ages of feeds, and published data that contradicts itself and that a person has to put right. */
export default function RegistryDataPage() {
  return (
    <Page title={pages.deskRegistryData.title} sub="How old each feed is, and published data that someone has to put right.">
      <Stack gap={16}>
        <Feeds />
        <LeftOutZones />
        <SharedHandles />
      </Stack>
    </Page>
  );
}
