//! How the page looks: on light and dark screens, and on paper.

/// The style sheet, without that of the pictures.
pub(super) const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,Helvetica,Arial,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;\
color:#1d2129;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.2rem;border-bottom:1px solid #d5d9e0}
h3{font-size:1.05rem;margin-bottom:.3rem}
table{border-collapse:collapse;font-size:.93rem}
th,td{padding:.25rem .7rem;border-bottom:1px solid #e2e5ea;text-align:left;vertical-align:top;\
overflow-wrap:normal;word-break:normal;hyphens:manual}
thead th{border-bottom:2px solid #b8bfca}th{font-weight:600;white-space:nowrap}
.number{text-align:right;font-variant-numeric:tabular-nums}
.word{white-space:nowrap}.wide{overflow-x:auto}\
.shares{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem 1.6rem}.share{font-weight:600;font-size:1.15rem}
.note,.none{color:#5c6370}
.pass{color:#1b7837}.fail{color:#c51b1b}.error{color:#8e0152}.inconclusive{color:#8a6100}
td.pass,td.fail,td.error,td.inconclusive{font-weight:600}
.banner{padding:.6rem 1rem;border:2px solid currentColor;border-radius:.5rem;font-weight:600}
details{margin:.5rem 0}summary{cursor:pointer}
svg{max-width:max(100%,46rem);height:auto}
@media (prefers-color-scheme:dark){body{color:#e4e6ea;background:#16181d}a{color:#8ab4ff}
h2{border-color:#3a404b}th,td{border-color:#30353f}thead th{border-color:#596171}
.note,.none{color:#9aa1ad}
.pass{color:#6fd08c}.fail{color:#ff8080}.error{color:#f291d0}.inconclusive{color:#e8c04a}}
@media print{body{max-width:none;margin:0;color:#000;background:#fff}a{color:inherit}\
details::details-content{content-visibility:visible;block-size:auto}\
tr,svg{break-inside:avoid}h2,h3{break-after:avoid}.wide{overflow:visible}}";
