import static org.verapdf.pdfa.validation.profiles.Profiles.errorFromValues;
import static org.verapdf.pdfa.validation.profiles.Profiles.profileDetailsFromValues;
import static org.verapdf.pdfa.validation.profiles.Profiles.profileFromValues;
import static org.verapdf.pdfa.validation.profiles.Profiles.ruleFromValues;
import static org.verapdf.pdfa.validation.profiles.Profiles.ruleIdFromValues;
import static org.verapdf.pdfa.validation.profiles.Profiles.variableFromValues;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.verapdf.pdfa.validation.validators.ValidatorFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Says which rules of PDF/A-3a and PDF/UA-1 files break, one line each, by veraPDF; nothing when none.
 *
 * <p>{@code java -cp JAR suite/press/Rules.java FILE…}, with a jar that has veraPDF's library and its profiles. They are
 * read here and not by veraPDF, whose reader needs a part of Java that Java has not brought since its version 11.
 */
public final class Rules {
    private Rules() {}

    public static void main(String[] files) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        var profiles = List.of(profile("PDFA-3A"), profile("PDFUA-1"));
        boolean broken = false;
        for (String file : files) {
            for (ValidationProfile profile : profiles) {
                for (String said : broken(file, profile)) {
                    System.out.println(file + ": " + said);
                    broken = true;
                }
            }
        }
        System.exit(broken ? 1 : 0);
    }

    private static Set<String> broken(String file, ValidationProfile profile) throws Exception {
        var said = new TreeSet<String>();
        try (var bytes = Files.newInputStream(Path.of(file));
                var parser = Foundries.defaultInstance().createParser(bytes, profile.getPDFAFlavour());
                var validator = ValidatorFactory.createValidator(profile, false)) {
            var found = validator.validate(parser);
            for (TestAssertion one : found.getTestAssertions()) {
                var rule = one.getRuleId();
                said.add(rule.getSpecification() + " " + rule.getClause() + "-" + rule.getTestNumber() + ": " + one.getMessage());
            }
            if (found.getTotalAssertions() < profile.getRules().size()) {
                said.add("expected at least a look at each of " + profile.getRules().size() + " rules, found " + found.getTotalAssertions());
            }
            if (!found.isCompliant() && said.isEmpty()) {
                said.add("veraPDF finds it broken and does not say why");
            }
        }
        return said;
    }

    private static ValidationProfile profile(String name) throws Exception {
        var reader = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        Element root;
        try (var bytes = ValidationProfile.class.getResourceAsStream("/org/verapdf/pdfa/validation/" + name + ".xml")) {
            root = reader.parse(bytes).getDocumentElement();
        }
        Set<Rule> rules = new HashSet<>();
        for (Element one : within(only(root, "rules"), "rule")) {
            var id = only(one, "id");
            var specification = PDFAFlavour.Specification.valueOf(id.getAttribute("specification"));
            var ruleId = ruleIdFromValues(specification, id.getAttribute("clause"), Integer.parseInt(id.getAttribute("testNumber")));
            var deferred = one.hasAttribute("deferred") ? Boolean.valueOf(one.getAttribute("deferred")) : null;
            var error = errorFromValues(text(only(one, "error"), "message"), List.of());
            rules.add(ruleFromValues(ruleId, one.getAttribute("object"), deferred, one.getAttribute("tags"),
                    text(one, "description"), text(one, "test"), error, List.of()));
        }
        Set<Variable> variables = new HashSet<>();
        for (Element one : within(only(root, "variables"), "variable")) {
            variables.add(variableFromValues(one.getAttribute("name"), one.getAttribute("object"), text(one, "defaultValue"), text(one, "value")));
        }
        var details = profileDetailsFromValues(name, name, "veraPDF", new Date(0));
        return profileFromValues(PDFAFlavour.valueOf(root.getAttribute("flavour")), details, "", rules, variables);
    }

    private static List<Element> within(Element parent, String name) {
        var found = new ArrayList<Element>();
        for (Node one = parent == null ? null : parent.getFirstChild(); one != null; one = one.getNextSibling()) {
            if (one instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static Element only(Element parent, String name) {
        var found = within(parent, name);
        return found.isEmpty() ? null : found.get(0);
    }

    private static String text(Element parent, String name) {
        return only(parent, name).getTextContent();
    }
}
