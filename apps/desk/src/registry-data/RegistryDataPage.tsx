import { Page } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { helpAnswers } from '@portal/contract/help-pages/answers';
import { pages } from '@portal/contract/pages';
import { reverseDnsLeftOut } from '@portal/contract/reverse-dns/left-out';
import { watchers } from '@portal/contract/status-pages/watchers';
import { whoisSharedHandles } from '@portal/contract/whois/shared-handles';
import { Stack } from '@portal/ui';
import { useMay } from '../shell/use-may.ts';
import { Feeds } from './Feeds.tsx';
import { LeftOutZones } from './LeftOutZones.tsx';
import { SharedHandles } from './SharedHandles.tsx';

const HelpAnswers = later(() => import('./HelpAnswers.tsx'), 'HelpAnswers');
const Watchers = later(() => import('./Watchers.tsx'), 'Watchers');

/** /desk/registry-data: the ages of feeds, watchers of the status page, and published data that contradicts itself and that a person has to put right. */
export default function RegistryDataPage() {
  const may = useMay();
  return (
    <Page
      title={pages.deskRegistryData.title}
      sub="How old each feed is, who watches the registry from outside, and published data that someone has to put right."
    >
      <Stack gap={16}>
        <Feeds />
        {may(watchers.listWatchers) && <Watchers />}
        {may(reverseDnsLeftOut.listLeftOut) && <LeftOutZones />}
        {may(whoisSharedHandles.listSharedHandles) && <SharedHandles />}
        {may(helpAnswers.listHelpAnswers) && <HelpAnswers />}
      </Stack>
    </Page>
  );
}
