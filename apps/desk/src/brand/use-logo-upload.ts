import { useChange } from '@portal/app-kit';
import { brand } from '@portal/contract/brand/brand';
import { logoLimits } from '@portal/contract/brand/brand-values';
import { useState } from 'react';

type LogoUpload = { choose: (file: File) => Promise<void>; busy: boolean; problem: string | undefined };

/** Returns the upload of a logo: a file that is chosen is checked and kept. @param onKept is given its name */
export function useLogoUpload(onKept: (name: string) => void): LogoUpload {
  const [problem, setProblem] = useState<string | null>(null);
  const upload = useChange(brand.uploadBrandLogo, { showsErrors: true, onDone: logo => onKept(logo.name) });
  return {
    choose: async file => {
      upload.reset();
      const found = await problemOf(file);
      setProblem(found);
      if (found !== null) return;
      const bytes = new Uint8Array(await file.arrayBuffer());
      upload.mutate({ body: { content: btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')) } });
    },
    busy: upload.isPending,
    problem: problem ?? upload.error?.errors[0]?.message,
  };
}

/** Says why a file isn't sent; null where it is. */
async function problemOf(file: File): Promise<string | null> {
  if (file.size > logoLimits.bytes)
    return `The file has ${Math.ceil(file.size / 1024)} kB. Export one of at most ${logoLimits.bytes / 1024} kB`;
  // What isn't one of both kinds, the server says what it is.
  if (!['image/png', 'image/webp'].includes(file.type)) return null;
  try {
    (await createImageBitmap(file)).close();
    return null;
  } catch {
    return 'This browser can’t draw the picture: the file is damaged. Export it again';
  }
}
