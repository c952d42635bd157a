"""Names of the months in some thirty languages, as they stand in dates."""

from __future__ import annotations

# The names of each month. One that means different months in different languages (listopada) is missing.
_NAMES = (
    "ene enero gen gener gennaio ianuarie jaanuar jan janeiro januar januara januari january január "
    "januára januári janv janvier janvāris janvārī jänner leden ledna oca ocak sausio siječnja sty "
    "styczeń stycznia tammikuu tammikuuta ιαν ιανουάριος ιανουαρίου січень січня янв январь января януари "
    "јануар јануара בינואר ינואר يناير",
    "feb febbraio feber febrer febrero februar februara februari februarie february február februára "
    "februāris februārī fev fevereiro fevrier févr février helmikuu helmikuuta lut lutego luty vasario "
    "veebruar veljače únor února şub şubat φεβ φεβρουάριος φεβρουαρίου лютий лютого фебруар фебруара фев "
    "февраль февраля февруари בפברואר פברואר فبراير",
    "březen března kovo maaliskuu maaliskuuta maart mar marca march marco marec maret mars mart marta "
    "martie marts martā marzec marzo març março mrt mrz márc március mär märts märz ožujka μάρτιος μαρ "
    "μαρτίου березень березня мар март марта במרץ מרץ مارس",
    "abr abril apr april aprila aprile aprilie aprill apríl apríla aprīlis aprīlī avr avril balandžio "
    "duben dubna huhtikuu huhtikuuta kwi kwiecień kwietnia nis nisan travnja ápr április απρ απρίλιος "
    "απριλίου апр апрель апреля април априла квітень квітня אפריל באפריל أبريل ابريل",
    "gegužės květen května mag maggio mai maig maijs maijā maio maj maja may mayo mayıs mei máj mája "
    "május svibnja toukokuu toukokuuta μάιος μαΐου μαϊ май мая мај маја травень травня במאי מאי مايو",
    "birželio cze czerwca czerwiec giu giugno haz haziran iunie juin jun juna june junho juni junio juny "
    "juuni jún júna június jūnijs jūnijā kesäkuu kesäkuuta lipnja červen června ιουν ιουνίου ιούνιος июн "
    "июнь июня червень червня юни јун јуна ביוני יוני يونيو",
    "heinäkuu heinäkuuta iulie juil juillet jul jula julho juli julio juliol july juuli júl júla július "
    "jūlijs jūlijā liepos lip lipca lipiec lug luglio srpnja tem temmuz července červenec ιουλ ιουλίου "
    "ιούλιος июл июль июля липень липня юли јул јула ביולי יולי يوليو",
    "ago agost agosto agustus aout août aug august augusta augusti augusts augustus augustā augusztus "
    "avgust avgusta ağu ağustos elokuu elokuuta kolovoza rugpjūčio sie sierpień sierpnia srpen srpna αυγ "
    "αυγούστου αύγουστος авг август августа серпень серпня אוגוסט באוגוסט أغسطس اغسطس",
    "eyl eylül rugsėjo rujna sep sept septembar september septembra septembre septembrie septembris "
    "septembrī septiembre set setembre setembro setiembre sett settembre syyskuu syyskuuta szept "
    "szeptember wrz wrzesień września září σεπ σεπτέμβριος σεπτεμβρίου вересень вересня сен сентябрь "
    "сентября септембар септембра септември בספטמבר ספטמבר سبتمبر",
    "eki ekim lokakuu lokakuuta oct october octobre octombrie octubre okt oktobar oktober oktobra "
    "oktobris oktobrī oktoober október októbra ott ottobre out outubro paź październik października "
    "spalio říjen října οκτ οκτωβρίου οκτώβριος жовтень жовтня окт октобар октобра октомври октябрь "
    "октября אוקטובר באוקטובר أكتوبر اكتوبر",
    "kas kasım lapkričio lis listopad listopadu marraskuu marraskuuta noiembrie nov novembar november "
    "novembra novembre novembris novembro novembrī noviembre studenog studenoga νοέμβριος νοε νοεμβρίου "
    "листопад листопада новембар новембра ноември ноя ноябрь ноября בנובמבר נובמבר نوفمبر",
    "ara aralık dec decembar december decembra decembre decembrie decembris decembrī des desember "
    "desembre detsember dez dezember dezembro dic dicembre diciembre déc décembre gru grudnia grudzień "
    "gruodžio joulukuu joulukuuta prosinca prosince prosinec δεκ δεκέμβριος δεκεμβρίου грудень грудня дек "
    "декабрь декабря декември децембар децембра בדצמבר דצמבר ديسمبر",
)

MONTHS = {name: str(number) for number, names in enumerate(_NAMES, 1) for name in names.split()}
