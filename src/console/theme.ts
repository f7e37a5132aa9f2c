/** How the console looks: Mantine's theme, and what the strict policy asks of libraries that insert styles. The rules are in docs/console-style.md. */
import {
  Alert,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Menu,
  Modal,
  Notification,
} from '@mantine/core';
import { dark, gray, guard, ink, orange, red, teal } from './colours.js';

/** The only three weights: of text, of what a person looks for, of headings. */
export const weights = { regular: 400, medium: 500, strong: 600 } as const;

/** Sizes of headings by their rank, in the order of Mantine's `h1` to `h6`. */
const headings = {
  h1: { fontSize: '1.5rem', lineHeight: '1.3' },
  h2: { fontSize: '1.375rem', lineHeight: '1.3' },
  h3: { fontSize: '1.125rem', lineHeight: '1.35' },
  h4: { fontSize: '1rem', lineHeight: '1.4' },
  h5: { fontSize: '0.875rem', lineHeight: '1.45' },
  h6: { fontSize: '0.8125rem', lineHeight: '1.45' },
} as const;

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  // Links in a sentence differ from its text by 3 to 1 (WCAG 2.2, 1.4.1).
  black: '#0a0c10',
  colors: { ink, gray, dark, red, orange, guard, teal },
  autoContrast: true,
  defaultRadius: 'md',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '32px' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  fontWeights: {
    regular: String(weights.regular),
    medium: String(weights.medium),
    bold: String(weights.strong),
  },
  headings: { fontWeight: String(weights.strong), sizes: headings },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: Alert.extend({ styles: { title: { fontWeight: weights.strong } } }),
    Badge: Badge.extend({
      styles: { root: { textTransform: 'none', fontWeight: weights.medium } },
      // Nothing is smaller than the smallest size of the scale.
      vars: () => ({ root: { '--badge-fz': 'var(--mantine-font-size-xs)' } }),
    }),
    Button: Button.extend({ styles: { root: { fontWeight: weights.medium } } }),
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      styles: { title: { fontWeight: weights.strong, fontSize: headings.h4.fontSize } },
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // The header element of a dialog would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
    }),
  },
});

/** The second colour of text, and those of links and errors, with 4.5 to 1 on tinted grounds too (WCAG 2.2, 1.4.3). */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-default-border': gray[3],
    '--mantine-color-dimmed': '#565f6d',
    '--mantine-color-placeholder': '#687281',
    '--mantine-color-error': red[7],
  },
  dark: {
    '--mantine-color-anchor': ink[3],
    '--mantine-color-dimmed': '#a6aebb',
    '--mantine-color-placeholder': '#949dab',
    '--mantine-color-error': red[4],
  },
});

/** The nonce of this page, without which the policy lets no library insert a style element. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
