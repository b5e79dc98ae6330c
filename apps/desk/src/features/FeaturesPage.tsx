import { Page, read, useAddress, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { type Feature, features } from '@portal/contract/features/features';
import { pages } from '@portal/contract/pages';
import { Badge, DateText, Link, Sheet } from '@portal/ui';
import { countInWords, hrefOf, markOf } from './feature-words.ts';
import styles from './Features.module.css';

const FeatureView = later(() => import('./FeatureView.tsx'), 'FeatureView');

/** /desk/features: features that can be switched, and for whom each is on; with `feature` in the address one of them. */
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
      sub="What members can use. Each is switched on for everyone, for named accounts or for a share of accounts, or off. Signing in, reading one’s own data and erasure are never switched."
    >
      <Sheet flush>
        <ul className={styles.lines} aria-label="Features">
          {all.map(each => (
            <Line key={each.feature} feature={each} />
          ))}
        </ul>
      </Sheet>
    </Page>
  );
}

function Line({ feature }: { feature: Feature }) {
  const { title, does, setting, accountsOn, accountsTotal } = feature;
  const { kind, words } = markOf(feature);
  return (
    <li className={styles.line}>
      <div>
        <Link href={hrefOf(feature.feature)}>{title}</Link>
        <p className="quiet small">{does}</p>
      </div>
      <div>
        <Badge kind={kind}>{words}</Badge>
        <p className="quiet small">{countInWords(accountsOn, accountsTotal)}</p>
      </div>
      <p className={styles.last}>
        {setting.changedAt === null ? (
          <span className="quiet">Never changed</span>
        ) : (
          <>
            <DateText value={setting.changedAt} shape="date" />
            <span className="quiet">
              {' '}
              by <bdi>{setting.changedBy}</bdi>
            </span>
          </>
        )}
      </p>
    </li>
  );
}
