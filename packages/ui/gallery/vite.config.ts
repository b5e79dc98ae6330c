import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Shows every part in every state: `vite --config packages/ui/gallery/vite.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { port: 47150, strictPort: true, fs: { allow: ['../../..'] } },
  preview: { port: 47150, strictPort: true },
});
