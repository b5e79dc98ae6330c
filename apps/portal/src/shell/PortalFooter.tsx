import { BrandMark, Footer, Link } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './PortalFooter.module.css';
import type { Theme } from './theme-links.ts';

const year = new Date().getFullYear();

/** The footer: logo, social links, aside links and the copyright line of the current year (specification, section 1). */
export function PortalFooter({ theme, registryName, pulse }: { theme: Theme | null; registryName: string; pulse: ReactNode }) {
  return (
    <Footer
      pulse={pulse}
      mark={
        theme?.footerLogo && (
          <Link href={theme.footerLogo.link} className={styles.logo}>
            <BrandMark /> {theme.footerLogo.label_en_us}
          </Link>
        )
      }
    >
      {theme?.footerSocialLinks.map(link => (
        <Link key={link.link} href={link.link}>
          <i className={link.iconClass} aria-hidden="true" />
          {link.label_en_us}
        </Link>
      ))}
      {theme?.footerAsideLinks.map(link => (
        <Link key={link.link} href={link.link}>
          {link.label_en_us}
        </Link>
      ))}
      <span>
        © {year} {registryName}
      </span>
    </Footer>
  );
}
