import { Page, read, useAddress, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { type Feature, features } from '@portal/contract/features/features';
import { pages } from '@portal/contract/pages';
import { Badge, DateText, Link, Sheet } from '@portal/ui';
import { Line, LineList } from '../shell/LineList.tsx';
import { countInWords, hrefOf, markOf } from './feature-words.ts';

const FeatureView = later(() => import('./FeatureView.tsx'), 'FeatureView');

/** /desk/features: features that can be turned on and off, and who has each; with `feature` in the address one of them. */
export default function FeaturesPage() {
  const feature = useAddress().get('feature');
  return feature === null ? <All /> : <FeatureView key={feature} feature={feature} />;
}

/** The first read of the page. */
export const reads = [read(features.listFeatures, {})];

function All() {
  const { features: all } = useAnswer(features.listFeatures, {});
  return (
    <Page
      title={pages.deskFeatures.title}
      sub="Turn features on for everyone, for named accounts or for a share of accounts. Signing in, reading your own data and erasure are always on."
    >
      <Sheet flush>
        <LineList label="Features" columns="minmax(0, 1.6fr) minmax(0, 1fr) minmax(0, 180px)">
          {all.map(each => (
            <FeatureLine key={each.feature} feature={each} />
          ))}
        </LineList>
      </Sheet>
    </Page>
  );
}

function FeatureLine({ feature }: { feature: Feature }) {
  const { title, does, setting, accountsOn, accountsTotal } = feature;
  const { kind, words } = markOf(feature);
  return (
    <Line
      name={
        <>
          <Link href={hrefOf(feature.feature)}>{title}</Link>
          <p className="quiet small">{does}</p>
        </>
      }
      marks={
        <>
          <Badge kind={kind}>{words}</Badge>
          <p className="quiet small">{countInWords(accountsOn, accountsTotal)}</p>
        </>
      }
      aside={
        setting.changedAt === null ? (
          <span className="quiet">Never changed</span>
        ) : (
          <>
            <DateText value={setting.changedAt} shape="date" />
            <span className="quiet">
              {' '}
              by <bdi>{setting.changedBy}</bdi>
            </span>
          </>
        )
      }
    />
  );
}
